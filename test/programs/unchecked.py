# RUN: programs --backend cpu --level 0 > %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %t
"""At least 95 % of the kernels of the programs run without checks at their own launches, except for those that
depend on memory."""
import re
import sys

last = open(sys.argv[1], encoding="utf-8").read().splitlines()[-1]
unchecked, kernels = map(int, re.search(r"(\d+) of (\d+) kernels ran without checks", last).groups())
print(last)
assert kernels >= 60 and unchecked >= 0.95 * kernels
