# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every source file names its licence in one of its first three lines."""
import lint

LINE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"


def check(root):
    build_files = [*root.glob("cmake/*.cmake"), *root.glob("CMakeLists.txt")]
    build_files += [path for path in lint.sources(root, suffixes=[".txt"])
                    if path.name == "CMakeLists.txt"]
    for path in [*lint.sources(root), *sorted(build_files)]:
        if not any(LINE in line for line in lint.read(path).splitlines()[:3]):
            yield f"{path.relative_to(root)}: '{LINE}' is not in its first three lines"


lint.main(
    check,
    sound={"mir/Good.cpp": f"// {LINE}\n"},
    broken=[
        ({"mir/Bad.cpp": "int x;\n"}, "mir/Bad.cpp"),
        ({"jit/Late.h": "\n\n\n// " + LINE}, "jit/Late.h"),
        ({"tools/Empty.h": ""}, "tools/Empty.h"),
        ({"tools/CMakeLists.txt": "x"}, "tools/CMakeLists.txt"),
        ({"cmake/Module.cmake": "x"}, "cmake/Module.cmake"),
        ({"scripts/command": "#!/bin/sh\n"}, "scripts/command"),
    ],
)
