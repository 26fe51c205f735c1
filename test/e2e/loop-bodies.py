# RUN: %python %s %t simple run --backend cpu --no-contracts
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %t simple run --backend cpu -O0
# RUN: %python %s %t %run-ptx
"""Loops with an empty body or one that exits at once, for each kind of condition: memory, atomics, votes, barriers.

Each kernel stores a[i] + 1 after its loop. With small numbers no loop is entered. With large numbers each loop
ends in its first iteration, with `return` before the store.
"""
import itertools
import json
import pathlib
import struct
import subprocess
import sys

CONDITIONS = {
    "load": "a[i] > 5",
    "cas": "gpu.atomic_cas(&mut s[0], 0, 0) == n",
    "atomic_load": "gpu.atomic_load(&s[0]) == n",
    "and": "a[i] > 5 and s[i] == 0",
    "or": "a[i] > 5 or s[i] == 77",
    "call": "greater(a, i)",
    "any": "gpu.any(a[i] > 5)",
    "ballot": "gpu.ballot(a[i] > 5) != 0",
    "shuffle": "gpu.shuffle_xor(a[i], 1) > 5",
    "uniform": "n == 0",
    "quotient": "a[i] / 6 == 1",
    "half": "(a[i] as f16) > 5.0",
    "group": "gpu.group_any(n == 0)",
}
ENDLESS = {  # bodies after which the condition is still true
    "pass": ["pass"],
    "continue": ["continue"],
    "comment": ["# nothing", "pass"],
    "warp_barrier": ["gpu.warp_barrier()"],
    "inner_loop": ["while a[i] > 50: pass"],
    "if": ["if a[i] == 0: pass"],
    "for": ["for _ in 0..a[i]: pass"],
    "barrier": ["gpu.barrier()"],
}
ENDING = {
    "break": ["break"],
    "return": ["return"],
    "match": ["match a[i]:", "    case 1: pass", "    case _: break"],
    "else": ["if a[i] == 7: continue", "else: break"],
    "inner_break": ["while true: break", "break"],
    "fence": ["gpu.fence(device)", "break"],
    "local": ["var t: [i32; 4] = [0; 4]", "t[a[i] % 4] = 1", "if t[1] == 1: continue", "break"],
    "sum": ["if gpu.warp_sum(a[i]) > 1: break"],
}
AROUND = {
    "plain": lambda lines: lines,
    "if": lambda lines: ["if i % 2 == 0:"] + ["    " + line for line in lines],
    "for": lambda lines: ["for _ in 0..2:"] + ["    " + line for line in lines],
}
NESTED = {"load", "cas", "any"}  # conditions that are also tested in nested control flow
UNIFORM = {"uniform", "group"}  # conditions under which a barrier is allowed
COUNT, GROUP = 40, 40


def kernels():
    """The name and text of each kernel, whether its loop may be entered, and how the loop then ends."""
    for condition, body, around in itertools.product(CONDITIONS, ENDLESS | ENDING, AROUND):
        groups = body == "barrier" or condition == "group"
        if groups and (around == "if" or condition not in UNIFORM or body in ENDING):
            continue
        if around != "plain" and condition not in NESTED:
            continue
        name = f"{condition}_{body}_{around}"
        loop = [f"while {CONDITIONS[condition]}:"] + ["    " + line for line in (ENDLESS | ENDING)[body]]
        lines = AROUND[around](loop)
        text = f"#[gpu]\nfn {name}(a: &[i32], s: &mut [i32], out: &mut [i32], n: i32):\n"
        text += "    val i = gpu.global_id()\n" + "".join(f"    {line}\n" for line in lines)
        text += "    out[i] = a[i] + 1\n\n"
        yield name, text, body, around


def write_npy(path, numbers):
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header = header.ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(numbers)}i", *numbers))


def script(names, numbers, n):
    launches = [
        {"kernel": name, "global": [COUNT], "local": [GROUP],
         "args": {"a": "a", "s": "s", "out": name, "n": n}}
        for name in names
    ]
    buffers = {name: f"i32[{COUNT}]" for name in names}
    write_npy(folder / "a.npy", numbers)
    buffers |= {"a": f"@{folder / 'a.npy'}", "s": f"i32[{COUNT}]"}
    return {"buffers": buffers, "launches": launches, "print": list(names)}


def run(command, names, numbers, n):
    path = folder / "launches.json"
    path.write_text(json.dumps(script(names, numbers, n)), encoding="utf-8")
    done = subprocess.run([*command, str(folder / "k.spl"), "--script", str(path), "--full"],
                          capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return dict(line.split(" = ") for line in done.stdout.splitlines())


folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
command = sys.argv[2:]
every = list(kernels())
(folder / "k.spl").write_text(
    "fn greater(a: &[i32], i: i64) -> bool:\n    return a[i] > 5\n\n"
    + "".join(text for _, text, _, _ in every), encoding="utf-8")

wrong = []
small = [1 + i % 5 for i in range(COUNT)]
for name, printed in run(command, [name for name, *_ in every], small, 1).items():
    if printed != str([number + 1 for number in small]):
        wrong.append(f"{name}, not entered: {printed}")

large = [6 + 2 * (i % 2) for i in range(COUNT)]
ending = [(name, body, around) for name, _, body, around in every if body in ENDING]
results = run(command, [name for name, *_ in ending], large, 0)
for name, body, around in ending:
    expected = [number + 1 for number in large]
    if body == "return":  # a kernel that does not enter the loop stores
        entered = [around != "if" or i % 2 == 0 for i in range(COUNT)]
        if name.startswith("quotient"):
            entered = [e and large[i] // 6 == 1 for i, e in enumerate(entered)]
        expected = [0 if e else x for e, x in zip(entered, expected)]
    if results[name] != str(expected):
        wrong.append(f"{name}, left at once: {results[name]}, not {expected}")
if wrong:
    sys.exit("\n".join(wrong))
print(len(every), "kernels,", len(ending), "of them entered")
