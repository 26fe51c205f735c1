# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every diagnostic in frontend/diag/*.def and diagnostics/*.def has a well-formed name, and a test that expects it.

A test expects a diagnostic if it contains '[name]', as the compiler prints it, or '"name"', as JSON and
unit tests contain it. Any file under test/ counts, except those of test/lint.
"""
import re

import lint

ROW = re.compile(r'^\s*(?:DIAG|PASS_DIAG|PASS_WARNING)\(\s*(\w+)\s*,\s*"([^"]*)"', re.MULTILINE)
TEST_SUFFIXES = [".spl", ".mlir", ".test", ".py", ".cpp", ".txt"]


def check(root):
    rows = []
    for path in sorted([*(root / "frontend/diag").glob("*.def"), *(root / "diagnostics").glob("*.def")]):
        rows += ROW.findall(lint.read(path))
    if not rows:
        yield "frontend/diag/*.def: no DIAG row found"

    tests = "".join(
        lint.read(path)
        for path in lint.sources(root, folders=["test"], suffixes=TEST_SUFFIXES)
        if "test/lint/" not in path.as_posix()
    )
    names = [name for _, name in rows]
    for identifier, name in rows:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            yield f"{identifier}: the name '{name}' is not in kebab-case"
        if names.count(name) > 1:
            yield f"{identifier}: the name '{name}' is used twice"
        if f"[{name}]" not in tests and f'"{name}"' not in tests:
            yield f"{identifier}: no test shows [{name}]"


lint.main(
    check,
    sound={
        "frontend/diag/Lexing.def": 'DIAG(TabIndent, "tab-indent", Error, "a tab")\n'
                                    'DIAG(BadDedent,\n     "bad-dedent", Error, "text {0}", int)\n',
        "test/frontend/tab.spl": "# CHECK: error: a tab [tab-indent]\n",
        "test/unit/frontend/LexerTest.cpp": 'EXPECT_EQ(name, "bad-dedent");\n',
    },
    broken=[
        ({"test/frontend/tab.spl": "# CHECK: tab-indent\n"}, "no test shows [tab-indent]"),
        ({"test/unit/frontend/LexerTest.cpp": None}, "no test shows [bad-dedent]"),
        ({"test/frontend/tab.spl": "x", "test/lint/t.py": "[tab-indent]"}, "no test shows [tab-"),
        ({"frontend/diag/A.def": 'DIAG(A, "Not_Kebab", Error, "")'}, "not in kebab-case"),
        ({"frontend/diag/A.def": 'DIAG(A, "tab-indent", Error, "")'}, "used twice"),
        ({"frontend/diag/Lexing.def": "// none\n"}, "no DIAG row found"),
    ],
)
