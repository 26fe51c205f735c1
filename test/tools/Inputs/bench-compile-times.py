# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures three kernels with the build in the folder of the first argument, and tests the ratios."""
import re
import sys

import compile_times as times

ours, theirs, kernels = times.sources(40)
assert 40 <= kernels < 50, kernels
names = re.findall(r"^#\[gpu.*\n(?:.*\n)*?fn (\w+)", ours, re.MULTILINE)
assert len(names) == len(set(names)) == kernels, names
assert theirs.count("__global__") == kernels, theirs

rows = times.measure(sys.argv[1], counts=(3,), rounds=1)
assert rows["3"]["kernels"] == 3, rows
compilers = rows["3"]["compilers"]
assert {times.OURS, times.WITHOUT, times.LOADED} <= set(compilers), compilers
assert all(0 < of["least"] <= of["seconds"] <= of["largest"] and of["runs"] == 1 for of in compilers.values()), compilers

assembled = times.assemble(sys.argv[1], count=3, rounds=1)
assert assembled is None or set(assembled["files"]) == {times.WHOLE, times.AT_FIRST, times.SINGLE}, assembled

known = {"100": {"kernels": 100, "compilers": {times.OURS: {"processor_seconds": 1.0}, times.LOADED: {"seconds": 3.0},
                                               times.NVRTC: {"seconds": 6.0}}},
         "1000": {"kernels": 1000, "compilers": {times.OURS: {"processor_seconds": 12.0}}}}
assert times.growth(known, times.OURS) == 1.2
assert times.ratio(known["100"], times.LOADED, "seconds") == 0.5
assert times.ratio(known["100"], times.OURS) is None  # there is no nvcc
print("sound")
