# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source file names its licence in one of its first three lines."""
import house

LINE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def check(root):
    for path in house.sources(root):
        if not any(LINE in line for line in house.read(path).splitlines()[:3]):
            yield f"{path.relative_to(root)}: '{LINE}' is not in its first three lines"


house.main(
    check,
    sound={"mir/Good.cpp": f"// {LINE}\n"},
    broken=[
        ({"mir/Bad.cpp": "int x;\n"}, "mir/Bad.cpp"),
        ({"jit/Late.h": "\n\n\n// " + LINE}, "jit/Late.h"),
        ({"tools/Empty.h": ""}, "tools/Empty.h"),
    ],
)
