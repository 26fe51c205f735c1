# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links between pages of the documentation have a target, including their headings. So do the names of
pages in comments and messages of the source, and the paths of source files in comments."""
import re

import lint

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MENTION = re.compile(r"docs/[\w-]+\.md")
COMMENT = re.compile(r"(?://|#(?!include)|/\*|^ *\*)(.*)", re.MULTILINE)
FILE = re.compile(rf"(?<![\w./-])(?:{'|'.join(lint.SOURCE_FOLDERS)})/[\w/-]+\.(?:cpp|h|c|td|def|py)\b(?!\.\w)")
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`]+`", re.MULTILINE | re.DOTALL)


def check(root):
    pages = sorted(root.glob("*.md")) + sorted(root.glob("docs/**/*.md"))
    if not pages:
        yield "no page found"
    for page in pages:
        for target in LINK.findall(CODE.sub("", lint.read(page))):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, heading = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                yield f"{page.relative_to(root)}: {target} is not there"
            elif heading and heading not in headings(lint.read(file)):
                yield f"{page.relative_to(root)}: {target}: no such heading"
    for source in lint.sources(root):
        if "test/lint/" in source.as_posix():
            continue
        text = lint.read(source)
        for name in MENTION.findall(text) + FILE.findall("\n".join(COMMENT.findall(text))):
            if not (root / name).exists():
                yield f"{source.relative_to(root)}: {name} is not there"


def headings(text):
    """The anchors that forges generate: lower case, without punctuation, hyphens for spaces."""
    for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-")


lint.main(
    check,
    sound={
        "README.md": "`f[T](x)`\n\n    g[T](y)\n\n[a](docs/a.md) [b](https://example.org/x) [c](docs/a.md#one-more-thing)\n"
                     "```\n[not](a link)[x](y)\n```\n",
        "docs/a.md": "## One more: thing\n[up](../README.md)\n",
        "mir/A.cpp": "// docs/a.md and mir/A.cpp say why\nconst char *name = \"mir/B.cpp\";\n",
    },
    broken=[
        ({"README.md": "[a](docs/b.md)"}, "docs/b.md is not there"),
        ({"mir/A.cpp": "// see docs/gone.md."}, "mir/A.cpp: docs/gone.md is not there"),
        ({"mir/A.cpp": "// see mir/B.cpp."}, "mir/A.cpp: mir/B.cpp is not there"),
        ({"scripts/a": "# see mir/b/C.h"}, "scripts/a: mir/b/C.h is not there"),
        ({"docs/a.md": "x"}, "docs/a.md#one-more-thing: no such heading"),
        ({"README.md": None, "docs/a.md": None}, "no page found"),
    ],
)
