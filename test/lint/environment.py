# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each environment variable that the sources read is in runtime/config/Environment.def. Each variable of that
table that is for users is in docs/runtime.md."""
import re

import lint

ROW = re.compile(r'^(TEST_)?VARIABLE\("(\w+)"\)', re.MULTILINE)
READ = re.compile(r'(?:getenv|GetEnv|fromEnvironment)\(\s*"(SPL_\w+)"')


def check(root):
    rows = ROW.findall(lint.read(root / "runtime/config/Environment.def"))
    if not rows:
        yield "runtime/config/Environment.def: no VARIABLE row found"
    names = [name for _, name in rows]
    if names != sorted(set(name for test, name in rows if not test)) + sorted(
        set(name for test, name in rows if test)
    ):
        yield "runtime/config/Environment.def: rows are in the order of their names, each once"
    documented = lint.read(root / "docs/runtime.md")
    for test, name in rows:
        if not test and f"`{name}`" not in documented:
            yield f"docs/runtime.md: `{name}` is missing"
    for path in lint.sources(root, suffixes=[".h", ".cpp", ".c"]):
        for name in READ.findall(lint.read(path)):
            if name not in names:
                yield f"{path.relative_to(root)}: {name} is not in runtime/config/Environment.def"


lint.main(
    check,
    sound={
        "runtime/config/Environment.def": 'VARIABLE("SPL_A")\nVARIABLE("SPL_B")\n'
                                        'TEST_VARIABLE("SPL_AA")\n',
        "docs/runtime.md": "| `SPL_A`, `SPL_B` | what |\n",
        "runtime/a.cpp": 'fromEnvironment("SPL_A"); getenv("HOME");\n',
        "test/a.cpp": 'std::getenv("SPL_AA");\n',
    },
    broken=[
        ({"runtime/config/Environment.def": "// none\n"}, "no VARIABLE row found"),
        ({"runtime/config/Environment.def": 'VARIABLE("SPL_B")\nVARIABLE("SPL_A")\n'}, "in the order"),
        ({"docs/runtime.md": "`SPL_A`\n"}, "`SPL_B` is missing"),
        ({"jit/a.cpp": '::secure_getenv("SPL_C")\n'}, "jit/a.cpp: SPL_C is not in"),
    ],
)
