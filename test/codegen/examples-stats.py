# RUN: %python %s %examples
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kernel of the examples assembles for sm_90 without register spills."""
import os
import pathlib
import re
import subprocess
import sys

LINE = re.compile(r"^(.+): (\d+) registers, (\d+) bytes of spills stored, (\d+) loaded, ")
wrong = []
for source in sorted(pathlib.Path(sys.argv[1]).glob("*.spl")):
    text = source.read_text(encoding="utf-8")
    instances = re.findall("^# Instances: (.*)$", text, re.MULTILINE)
    kernels = [f"--kernel={name}" for line in instances for name in line.split()]
    done = subprocess.run(["simple", "compile", source, "--target", "sm_90", "--stats", "-o",
                           os.devnull, *kernels], capture_output=True, text=True, check=False)
    found = [LINE.match(line) for line in done.stderr.splitlines()
             if not line.startswith(" ") and ": checks: " not in line]
    if done.returncode != 0 or not found or not all(found):
        wrong.append(f"{source.name}: ended with {done.returncode}\n{done.stderr}")
        continue
    for match in found:
        registers, stored, loaded = map(int, match.group(2, 3, 4))
        if not 0 < registers < 256 or stored or loaded:
            wrong.append(f"{source.name}: {match.group(0)}")
sys.exit("\n".join(wrong) or 0)
