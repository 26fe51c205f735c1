# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/architecture.md lists the files that a new target touches. For the null target each of these files
exists, and no other file of the compiler mentions the null target."""
import re

import lint

TARGET = "null"
PAGE = "docs/architecture.md"
LISTED = re.compile(r"^- `(codegen/targets/[^`]+)`", re.MULTILINE)
ABOUT = re.compile(rf"TARGET\({TARGET}\)|\b{TARGET}::target\b|targets/{TARGET}/|namespace {TARGET}\b")


def check(root):
    section = lint.read(root / PAGE).partition("### Add a target")[2].partition("\n### ")[0]
    listed = {name.replace("NAME", TARGET) for name in LISTED.findall(section)}
    if not listed:
        yield f"{PAGE}: no list of the files that a target touches"
    own = {path.relative_to(root).as_posix() for path in (root / f"codegen/targets/{TARGET}").rglob("*")}
    about = {
        path.relative_to(root).as_posix()
        for path in lint.sources(
            root,
            folders=["abi", "cli", "codegen", "driver", "frontend", "intrinsics", "jit", "mir", "runtime", "tools"],
            suffixes=[".h", ".cpp", ".td", ".def", ".txt", ".cmake"],
        )
        if ABOUT.search(lint.read(path))
    }
    for name in sorted(listed - own - about):
        yield f"{PAGE}: lists {name}, which the {TARGET} target does without"
    for name in sorted((own | about) - listed):
        yield f"{name}: the {TARGET} target touches it, and {PAGE} does not list it"


lint.main(
    check,
    sound={
        PAGE: "### Add a target\n- `codegen/targets/NAME/Target.cpp`: x\n- `codegen/targets/Targets.def`: x\n"
              "### Next\n- `codegen/targets/other`\n",
        "codegen/targets/null/Target.cpp": '#include "codegen/targets/null/Intrinsics.def"\n',
        "codegen/targets/Targets.def": "TEST_TARGET(null)\n",
    },
    broken=[
        ({"codegen/targets/null/More.cpp": ""}, "codegen/targets/null/More.cpp: the null target touches it"),
        ({"codegen/targets/null/Target.cpp": None}, "lists codegen/targets/null/Target.cpp, which"),
        ({"driver/Compilation.cpp": "null::target()"}, "driver/Compilation.cpp: the null target touches it"),
        ({PAGE: ""}, "no list of the files"),
    ],
)
