# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kernel of the examples and each program has a twin in C++, which scripts/bench cpu measures. The kernels in
OpenCL C are those of a twin's file."""
import re

import lint


def check(root):
    cases = set(re.findall(r"^(?:OTHER_)?CASE\((\w+), (\w+),", lint.read(root / "bench/cpu/Cases.def"), re.MULTILINE))
    names = [("examples", path.stem) for path in sorted(root.glob("examples/*.spl"))]
    names += [("programs", name) for name in re.findall(r"^PROGRAM\((\w+),", lint.read(root / "programs/Programs.def"),
                                                        re.MULTILINE)]
    for group, name in names:
        twin = root / "bench" / "cpu" / group / f"{name}.cpp"
        if not twin.exists():
            yield f"{group}: {name} has no twin in {twin.relative_to(root)}"
        elif not any((group, function) in cases for function in re.findall(r"^void (\w+)\(Case &c\)", lint.read(twin),
                                                                            re.MULTILINE)):
            yield f"{twin.relative_to(root)} has no row in bench/cpu/Cases.def"
    for path in sorted(root.glob("bench/cpu/opencl/*.cl")):
        case = root / "bench" / "cpu" / "examples" / f"{path.stem}.cpp"
        loaded = re.findall(r'loadOpenCl\("(.+?)", ', lint.read(case)) if case.exists() else []
        if path.name not in loaded:
            yield f"{path.relative_to(root)} is not loaded by {case.relative_to(root)}"


SOUND = {
    "examples/add.spl": "",
    "programs/Programs.def": 'PROGRAM(aes, "a", "b")\n',
    "bench/cpu/Cases.def": 'CASE(examples, addF32, "add", "1")\nCASE(programs, aes, "aes", "1")\n',
    "bench/cpu/examples/add.cpp": 'void addF32(Case &c) {\n  c.loadOpenCl("add.cl", "add");\n',
    "bench/cpu/opencl/add.cl": "",
    "bench/cpu/programs/aes.cpp": "void aes(Case &c) {\n",
}

lint.main(
    check,
    sound=SOUND,
    broken=[
        ({**SOUND, "examples/new.spl": ""}, "examples: new has no twin in bench/cpu/examples/new.cpp"),
        ({**SOUND, "programs/Programs.def": 'PROGRAM(new, "a", "b")\n'}, "programs: new has no twin"),
        ({**SOUND, "bench/cpu/Cases.def": 'CASE(examples, addF32, "add", "1")\n'},
         "bench/cpu/programs/aes.cpp has no row in bench/cpu/Cases.def"),
        ({**SOUND, "bench/cpu/opencl/new.cl": ""},
         "bench/cpu/opencl/new.cl is not loaded by bench/cpu/examples/new.cpp"),
    ],
)
