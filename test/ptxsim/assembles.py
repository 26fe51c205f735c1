# RUN: rm -rf %t && mkdir %t && %python %s %build_root %t %ptxas
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's assembler takes every module that the interpreter's tests run: what they test is PTX."""
import os
import pathlib
import re
import subprocess
import sys

BUILD, FOLDER, PTXAS = sys.argv[1:]

subprocess.run([f"{BUILD}/test/unit/spl-ptxsim-tests"], check=True, stdout=subprocess.DEVNULL,
               env={**os.environ, "PTXSIM_SNIPPETS": FOLDER})
modules = sorted(pathlib.Path(FOLDER).glob("*.ptx"), key=lambda path: int(path.stem))
assert len(modules) > 99, len(modules)

# One module for many snippets: the assembler takes longer to start than to work.
failed = False
for start in range(0, len(modules), 50):
    heads, kernels = set(), []
    for path in modules[start:start + 50]:
        version, target, size, text = path.read_text(encoding="utf-8").split("\n", 3)
        heads.add("\n".join([version, target, size]))
        # Each snippet gets names of its own at the top.
        text = re.sub(r"\btop_", f"top{path.stem}_", re.sub(r"\bk\(", f"k{path.stem}(", text))
        kernels.append(f"// {path.name}\n{text}")
    assert len(heads) == 1, heads
    whole = pathlib.Path(FOLDER) / f"all-{start}.ptx"
    whole.write_text(heads.pop() + "\n" + "\n".join(kernels), encoding="utf-8")
    done = subprocess.run([PTXAS, "-O0", "-arch=sm_100", whole, "-o", os.devnull],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
        failed = True
sys.exit(failed)
