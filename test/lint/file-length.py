# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No source file is longer than 500 lines. A longer file contains more than one concept."""
import lint

LIMIT = 500


def check(root):
    for path in lint.sources(root):
        lines = len(lint.read(path).splitlines())
        if lines > LIMIT:
            yield f"{path.relative_to(root)}: {lines} lines; the limit is {LIMIT}"


lint.main(
    check,
    sound={"mir/Short.cpp": "\n" * LIMIT},
    broken=[
        ({"mir/transforms/Long.cpp": "\n" * (LIMIT + 1)}, "mir/transforms/Long.cpp: 501 lines"),
        ({"scripts/long": "\n" * (LIMIT + 1)}, "scripts/long"),
        ({"frontend/diag/Long.def": "\n" * (LIMIT + 1)}, "frontend/diag/Long.def"),
    ],
)
