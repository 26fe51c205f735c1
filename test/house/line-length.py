# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No line of C++ is longer than 100 columns, which .clang-format says. Rows of .def tables may be."""
import house

LIMIT = 100


def check(root):
    for path in house.sources(root, suffixes=[".h", ".cpp", ".c"]):
        for number, line in enumerate(house.read(path).splitlines(), start=1):
            if len(line) > LIMIT:
                yield f"{path.relative_to(root)}:{number}: {len(line)} columns; the limit is {LIMIT}"


house.main(
    check,
    sound={"mir/Short.cpp": "/" * LIMIT + "\n", "frontend/diag/Long.def": "/" * (LIMIT + 1)},
    broken=[
        ({"mir/Long.cpp": "\n" + "/" * (LIMIT + 1)}, "mir/Long.cpp:2: 101 columns"),
        ({"runtime/include/spl/Long.h": "/" * (LIMIT + 1)}, "runtime/include/spl/Long.h:1"),
    ],
)
