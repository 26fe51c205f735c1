# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No line of C++ or TableGen is longer than 100 columns, as in .clang-format. Rows of .def may be."""
import lint

LIMIT = 100


def check(root):
    for path in lint.sources(root, suffixes=[".h", ".cpp", ".c", ".td"]):
        for number, line in enumerate(lint.read(path).splitlines(), start=1):
            if len(line) > LIMIT:
                place = f"{path.relative_to(root)}:{number}"
                yield f"{place}: {len(line)} columns; the limit is {LIMIT}"


lint.main(
    check,
    sound={"mir/Short.cpp": "/" * LIMIT + "\n", "frontend/diag/Long.def": "/" * (LIMIT + 1)},
    broken=[
        ({"mir/Long.cpp": "\n" + "/" * (LIMIT + 1)}, "mir/Long.cpp:2: 101 columns"),
        ({"mir/dialect/Long.td": "/" * (LIMIT + 1)}, "mir/dialect/Long.td:1"),
        ({"runtime/include/spl/Long.h": "/" * (LIMIT + 1)}, "runtime/include/spl/Long.h:1"),
    ],
)
