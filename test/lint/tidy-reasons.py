# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comment in .clang-tidy has a reason for every check that is disabled there."""
import re

import lint


def check(root):
    text = lint.read(root / ".clang-tidy")
    reasons = dict(re.findall(r"^#   (\S+)  +(\S.*)$", text, re.MULTILINE))
    for name in re.findall(r"^  -([\w-]+),?$", text, re.MULTILINE):
        if name not in reasons:
            yield f".clang-tidy: {name} is off without a reason"


lint.main(
    check,
    sound={".clang-tidy": "#   bugprone-a  because\nChecks: >\n  -*,\n  misc-*,\n  -bugprone-a\n"},
    broken=[({".clang-tidy": "#   misc-b\nChecks: >\n  -*,\n  -misc-b\n"}, "misc-b is off")],
)
