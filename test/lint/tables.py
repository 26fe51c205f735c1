# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No cell of a table in the documentation is longer than 160 characters. Generated pages are exempt."""
import re

import lint

LIMIT = 160
GENERATED = "<!-- Made from "  # the start of a page that 'ninja docs' writes
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md")


def cells(text):
    """The line number and the text of each cell. Blocks of code contain no tables."""
    is_code = False
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("```"):
            is_code = not is_code
        elif line.startswith("|") and not is_code:
            for cell in re.split(r"(?<!\\)\|", line)[1:-1]:
                yield number, cell.strip()


def check(root):
    for page in (path for pattern in PAGES for path in sorted(root.glob(pattern))):
        text = lint.read(page)
        if text.startswith(GENERATED):
            continue
        for number, cell in cells(text):
            if len(cell) > LIMIT:
                place = f"{page.relative_to(root)}:{number}"
                yield f"{place}: a cell of {len(cell)} characters; the limit is {LIMIT}"


lint.main(
    check,
    sound={
        "README.md": f"| a | {'x' * LIMIT} |\n```\n| {'x' * (LIMIT + 1)} |\n```\n",
        "docs/pipes.md": f"| `a \\| b` | {'x' * LIMIT} |\n",
        "docs/made.md": f"{GENERATED}a table by 'ninja docs'; do not edit. -->\n| {'x' * (LIMIT + 1)} |\n",
    },
    broken=[
        ({"CONTRIBUTING.md": f"\n| a | {'x' * (LIMIT + 1)} |\n"}, "CONTRIBUTING.md:2: a cell of 161 characters"),
        ({"docs/long.md": f"| {'x' * (LIMIT + 1)} | a |\n"}, "docs/long.md:1"),
        ({"README.md": f"```\n| a |\n```\n| {'x' * (LIMIT + 1)} |\n"}, "README.md:4"),
    ],
)
