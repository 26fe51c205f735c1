# RUN: programs --backend cpu --level 0 --report > %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %t
"""At least 95 % of the kernels of the programs run without checks at their own launches, except for those that
depend on memory. The README and docs/performance.md quote the numbers."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
report = open(sys.argv[1], encoding="utf-8").read()
last = report.splitlines()[-1]
unchecked, kernels = map(int, re.search(r"(\d+) of (\d+) kernels ran without checks", last).groups())
print(last)
assert kernels >= 60 and unchecked >= 0.95 * kernels

unmet = sum(int(held) < int(all_) for held, all_ in re.findall(r"contract holds in (\d+) of (\d+) launches", report))
for file, pattern, numbers in (
        ("README.md", r"(\d+) of their (\d+) kernels", (unchecked, kernels)),
        ("docs/performance.md", r"(\d+) of the (\d+) kernels of `programs/`", (unmet, kernels))):
    quoted = re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))
    assert tuple(map(int, quoted.groups())) == numbers, f"{file} says '{quoted.group()}', not {numbers}"
