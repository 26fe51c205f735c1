# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In C++17, the first error of each C++ header is that it needs C++20, and the compilation stops there. The C
headers compile."""
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
folders = [root / "abi/include", root / "runtime/include", root / "jit/include"]
SAYS = "Simple GPU's C++ headers need C++20: compile with -std=c++20 or newer"
forC = {"spl/cpu_abi.h", "spl/fault_record.h", "spl/grid_counter.h"}


def errors(compiler, standard, header):
    command = [compiler, f"-std={standard}", "-fsyntax-only", *(f"-I{folder}" for folder in folders), "-x", "c++", "-"]
    run = subprocess.run(command, input=f"#include <{header}>\n", text=True, stderr=subprocess.PIPE, check=False)
    return re.findall(r"error: (.*)", run.stderr)


headers = {path.relative_to(folder).as_posix() for folder in folders for path in folder.glob("spl/*.h")} - forC
assert len(headers) > 20, headers
headersOfC = forC | {path.relative_to(folder).as_posix() for folder in folders for path in folder.glob("spl/c/*.h")}
failures = []
for compiler in filter(shutil.which, ["clang++-22", "g++"]):
    for header in sorted(headers):
        found = errors(compiler, "c++17", header)
        if len(found) != 2 or SAYS not in found[0] or "spl/needs-c++20" not in found[1]:
            failures.append(f"{compiler} -std=c++17: {header}: {found[:3]}")
    failures += [f"{compiler} -std=c++17: {header}: {found}" for header in sorted(headersOfC)
                 if (found := errors(compiler, "c++17", header))]
print("\n".join(failures))
sys.exit(bool(failures))
