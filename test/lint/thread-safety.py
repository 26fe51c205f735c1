# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comment at the head of each public C++ header says how several threads may use its declarations. The
table of thread safety in docs/runtime.md lists each header."""
import re

import lint

FOLDERS = ["abi/include/spl", "runtime/include/spl", "jit/include/spl"]
# Headers without declarations that a program uses directly.
WITHOUT = ["spl.h", "Cxx20.h", "ArgumentChecks.h", "cpu_abi.h", "fault_record.h", "grid_counter.h"]
PAGE = "docs/runtime.md"


def check(root):
    section = re.search(r"^## Threads$(.*?)(?=^## |\Z)", lint.read(root / PAGE), re.MULTILINE | re.DOTALL)
    table = section.group(1) if section else ""
    headers = [path for folder in FOLDERS for path in sorted((root / folder).glob("*.h")) if path.name not in WITHOUT]
    if not headers:
        yield "no header found"
    for header in headers:
        comment = re.search(r"\\file\n((?:///.*\n)*)", lint.read(header))
        if not comment or "thread" not in comment.group(1):
            yield f"{header.relative_to(root)}: its head does not say what several threads may do"
        if f"`{header.name}`" not in table:
            yield f"{PAGE}: {header.name} is not in the table under 'Threads'"


lint.main(
    check,
    sound={
        "runtime/include/spl/A.h": "/// \\file\n/// Used from\n/// one thread at a time.\n#ifndef A\n",
        "runtime/include/spl/spl.h": "",
        PAGE: "## Threads\n| `A.h` | one |\n## More\n",
    },
    broken=[
        ({"runtime/include/spl/A.h": "/// \\file\n/// A.\n#ifndef A\n/// thread\n"}, "A.h: its head does not say"),
        ({"jit/include/spl/B.h": "/// \\file\n/// Any thread.\n"}, "B.h is not in the table"),
        ({PAGE: "## Threads\n## More\n`A.h`\n"}, "A.h is not in the table"),
        ({"runtime/include/spl/A.h": None}, "no header found"),
    ],
)
