# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every instruction in test/ptxsim/Opcodes.def is used by a test of the interpreter."""
import re

import lint

ROW = re.compile(r'^\s*(?:OPCODE|ARITHMETIC)\("([^"]*)"', re.MULTILINE)


def check(root):
    names = ROW.findall(lint.read(root / "test/ptxsim/Opcodes.def"))
    if not names:
        yield "test/ptxsim/Opcodes.def: no row found"
    tests = "\n".join(lint.read(path) for path in sorted((root / "test/ptxsim").glob("*Test.cpp")))
    for name in names:
        # At the start of a statement or a string, or after a guard.
        if not re.search(r'(?:^|["{;]|@!?%p\d )\s*' + re.escape(name) + r"(?=[.; \n])", tests, re.MULTILINE):
            yield f"{name}: no test in test/ptxsim uses it"


lint.main(
    check,
    sound={
        "test/ptxsim/Opcodes.def": 'ARITHMETIC("add", Add, FloatAdd)\nOPCODE("ret", Ret)\n',
        "test/ptxsim/AddTest.cpp": '{{"add.s32", "rrr"}, R"(\n@%p0 ret;\n)"',
    },
    broken=[
        ({"test/ptxsim/AddTest.cpp": '"addc.s32"; "ret;"'}, "add: no test"),
        ({"test/ptxsim/AddTest.cpp": '"add.s32" // ret'}, "ret: no test"),
        ({"test/ptxsim/Opcodes.def": ""}, "no row found"),
    ],
)
