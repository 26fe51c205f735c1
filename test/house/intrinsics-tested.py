# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name in intrinsics/Intrinsics.def and intrinsics/Memory.def is used by a test's kernel and is not also listed as later.

A name that the source can write must stand in a .spl file under test/ or examples/, a gpu.* name in one of
test/e2e or examples, whose results are looked at; an operator's row ("op.fmod") in any test of test/mir or
test/codegen.
"""
import re

import house

ROW = re.compile(r'^\s*INTRINSIC\(\s*\w+\s*,\s*"([^"]*)"', re.MULTILINE)
MEMORY = re.compile(r'^\s*MEMORY\(\s*\w+\s*,\s*"([^"]*)"', re.MULTILINE)
LATER = re.compile(r'^\s*LATER\("([^"]*)"\)', re.MULTILINE)


def check(root):
    rows = ROW.findall(house.read(root / "intrinsics/Intrinsics.def"))
    names = rows + MEMORY.findall(house.read(root / "intrinsics/Memory.def"))
    later = LATER.findall(house.read(root / "intrinsics/Later.def"))
    if not rows:
        yield "intrinsics/Intrinsics.def: no INTRINSIC row found"
    written = text_of(root, ["test", "examples"], [".spl"])
    run = text_of(root, ["test/e2e", "examples"], [".spl"])
    lowered = text_of(root, ["test/mir", "test/codegen"], [".spl", ".mlir"])
    for name in names:
        tests, where = {"op": (lowered, ""), "gpu": (run, " in test/e2e or examples")}.get(
            name.split(".")[0], (written, ""))
        if not re.search(re.escape(name) + r"\b", tests):
            yield f"{name}: no test uses it{where}"
        if name in later:
            yield f"{name}: stands in Later.def too; remove it there"


def text_of(root, folders, suffixes):
    return "\n".join(house.read(path) for path in house.sources(root, folders, suffixes))


house.main(
    check,
    sound={
        "intrinsics/Intrinsics.def": 'INTRINSIC(Sqrt, "math.sqrt", "(F) -> F", Nothing)\n'
                                     'INTRINSIC(Fmod, "op.fmod", "(F, F) -> F", Nothing)\n',
        "intrinsics/Memory.def": 'MEMORY(Load, "gpu.load", "(a, i)", "")\n',
        "intrinsics/Later.def": 'LATER("math.tan")\n',
        "test/codegen/math.spl": "y = math.sqrt(x[0])\n",
        "test/e2e/Inputs/memory.spl": "y = gpu.load(x, 0)\n",
        "test/mir/fmod.mlir": '%0 = spl.intrinsic "op.fmod"\n',
    },
    broken=[
        ({"test/codegen/math.spl": "math.sqrtx"}, "math.sqrt: no test uses it"),
        ({"test/e2e/Inputs/memory.spl": "", "test/codegen/math.spl": "math.sqrt(gpu.load(x, 0))"},
         "gpu.load: no test uses it in test/e2e or examples"),
        ({"test/mir/fmod.mlir": None}, "op.fmod: no test uses it"),
        ({"intrinsics/Later.def": 'LATER("math.sqrt")\n'}, "stands in Later.def too"),
        ({"intrinsics/Intrinsics.def": ""}, "no INTRINSIC row found"),
    ],
)
