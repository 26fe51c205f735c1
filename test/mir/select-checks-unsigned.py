# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which indices are reported as unsigned: those whose position 'spl.unsigned' lists, for each rank and operation.

The positions of a copy count on from the indices of its source to those of its target.
"""
import itertools
import subprocess
import sys

functions, expected = [], []


def function(rank, operation, positions):
    slice_type = f"!spl.slice<i64, mut, rank {rank}>" if rank > 1 else "!spl.slice<i64, mut>"
    indices = ", ".join(f"%i{axis}" for axis in range(rank))
    others = ", ".join(f"%i{axis + rank}" for axis in range(rank))
    unsigned = f"{{spl.unsigned = array<i64: {', '.join(map(str, positions))}>}}" if positions else ""
    text = {
        "load": f"%x = spl.load %a[{indices}] {unsigned} : <{slice_type[11:]}",
        "store": f"spl.store %v, %a[{indices}] {unsigned} : <{slice_type[11:]}",
        "atomic": f"spl.atomic store %a[{indices}](%v) relaxed device {unsigned} : {slice_type}, (i64) -> ()",
        "copy": f"spl.copy %a[{indices}], %a[{others}] {unsigned} : {slice_type}, {slice_type}",
    }[operation]
    arguments = ", ".join(f"%i{axis}: i64" for axis in range(2 * rank))
    name = f"f{len(functions)}"
    functions.append(f"spl.func @{name}(%a: {slice_type}, %v: i64, {arguments}) {{\n  {text}\n  spl.return\n}}\n")
    count = 2 * rank if operation == "copy" else rank
    expected.append((text, [position in positions for position in range(count)]))


for rank in range(1, 5):
    for operation in ("load", "store", "atomic", "copy"):
        count = 2 * rank if operation == "copy" else rank
        for chosen in range(count + 1):
            for positions in itertools.combinations(range(count), chosen):
                if count <= 4 or chosen < 3:
                    function(rank, operation, positions)

result = subprocess.run(["simple-opt", "-", "-spl-select-checks"], input="".join(functions),
                        stdout=subprocess.PIPE, text=True, check=True)
found = [["isUnsigned" in line for line in part.splitlines() if "spl.check " in line]
         for part in result.stdout.split("spl.func ")[1:]]
assert len(found) == len(expected), (len(found), len(expected))
wrong = [f"{text}: {flags}, not {right}" for flags, (text, right) in zip(found, expected) if flags != right]
sys.exit("\n".join(wrong) or None)
