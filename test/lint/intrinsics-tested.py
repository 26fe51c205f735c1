# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name in intrinsics/Intrinsics.def and intrinsics/Memory.def is used by a kernel whose results a test
checks, on the CPU and as PTX. It is not also listed as unimplemented. The same holds for every word of
frontend/sema/MemoryWords.def, as in "order: relaxed".

Such a kernel is in a file of test/e2e/Inputs or examples that a test/e2e/*.cpp with forEachBuild names, or in
a lit test of test/e2e that runs with both backends. A source cannot name an operator's row ("op.fmod"); any
test of test/mir, test/codegen or test/contracts that contains it counts.
"""
import re

import lint

ROW = re.compile(r'^\s*INTRINSIC\(\s*\w+\s*,\s*"([^"]*)"', re.MULTILINE)
MEMORY = re.compile(r'^\s*MEMORY\(\s*\w+\s*,\s*"([^"]*)"', re.MULTILINE)
WORD = re.compile(r'^(ORDER|SCOPE|CACHE)\(\w+, "(\w+)"\)', re.MULTILINE)
RUN = "# RUN" ": "  # split, so that lit does not take it for a RUN line
UNIMPLEMENTED = re.compile(r'^\s*UNIMPLEMENTED\("([^"]*)"\)', re.MULTILINE)


def check(root):
    rows = ROW.findall(lint.read(root / "intrinsics/Intrinsics.def"))
    names = rows + MEMORY.findall(lint.read(root / "intrinsics/Memory.def"))
    unimplemented = UNIMPLEMENTED.findall(lint.read(root / "intrinsics/UnimplementedIntrinsics.def"))
    if not rows:
        yield "intrinsics/Intrinsics.def: no INTRINSIC row found"
    run = "\n".join(run_kernels(root))
    lowered = "\n".join(lint.read(path) for path in lint.sources(
        root, folders=["test/mir", "test/codegen", "test/contracts"], suffixes=[".spl", ".mlir"]))
    for name in names:
        is_operator = name.startswith("op.")
        if not re.search(re.escape(name) + r"\b", lowered if is_operator else run):
            yield f"{name}: no test {'lowers' if is_operator else 'runs'} it"
        if name in unimplemented:
            yield f"{name}: is in UnimplementedIntrinsics.def too; remove it there"
    for kind, word in WORD.findall(lint.read(root / "frontend/sema/MemoryWords.def")):
        if not re.search(rf"\b{kind.lower()}: {word}\b", run):
            yield f"{kind.lower()}: {word}: no test runs it"


def run_kernels(root):
    """The texts of the kernel files that the end-to-end tests run on both backends."""
    tests = [lint.read(path) for path in root.glob("test/e2e/*.cpp")]
    named = "".join(text for text in tests if "forEachBuild(" in text)
    for path in [*root.glob("test/e2e/Inputs/*.spl"), *root.glob("examples/*.spl")]:
        if f'"{path.name}"' in named:
            yield lint.read(path)
    for path in root.glob("test/e2e/*.spl"):
        text = lint.read(path)
        if re.search(RUN + r"simple run .*--backend cpu\b", text) and re.search(RUN + r"%run-ptx\b", text):
            yield text


lint.main(
    check,
    sound={
        "intrinsics/Intrinsics.def": 'INTRINSIC(Sqrt, "math.sqrt", "(F) -> F", Nothing)\n'
                                     'INTRINSIC(Fmod, "op.fmod", "(F, F) -> F", Nothing)\n',
        "intrinsics/Memory.def": 'MEMORY(Load, "gpu.load", "(a, i)", "")\n',
        "intrinsics/UnimplementedIntrinsics.def": 'UNIMPLEMENTED("math.tan")\n',
        "frontend/sema/MemoryWords.def": '#define CACHE(Name, Word)\nCACHE(Keep, "keep")\n',
        "test/e2e/math.spl": f"{RUN}simple run %s --backend cpu\n{RUN}%run-ptx %s\ny = math.sqrt(x[0])\n",
        "test/e2e/Inputs/memory.spl": "y = gpu.load(x, 0, cache: keep)\n",
        "test/e2e/MemoryTest.cpp": 'forEachBuild({"memory.spl"});\n',
        "test/mir/fmod.mlir": '%0 = spl.intrinsic "op.fmod"\n',
    },
    broken=[
        ({"test/e2e/math.spl": f"{RUN}simple run --backend cpu\n{RUN}%run-ptx\nmath.sqrtx"},
         "math.sqrt: no test runs it"),
        ({"test/e2e/math.spl": f"{RUN}%run-ptx\nmath.sqrt(x)"}, "math.sqrt: no test runs it"),
        ({"test/e2e/math.spl": None, "test/codegen/math.spl": "math.sqrt(x)"}, "math.sqrt: no test runs it"),
        ({"test/e2e/MemoryTest.cpp": "forEachBuild();"}, "gpu.load: no test runs it"),
        ({"test/e2e/MemoryTest.cpp": '{"memory.spl"}'}, "gpu.load: no test runs it"),
        ({"test/e2e/Inputs/memory.spl": "gpu.load(x, 0, cache: keeps)"}, "cache: keep: no test runs it"),
        ({"test/mir/fmod.mlir": None}, "op.fmod: no test lowers it"),
        ({"intrinsics/UnimplementedIntrinsics.def": 'UNIMPLEMENTED("math.sqrt")\n'}, "is in UnimplementedIntrinsics.def too"),
        ({"intrinsics/Intrinsics.def": ""}, "no INTRINSIC row found"),
    ],
)
