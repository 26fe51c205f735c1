# RUN: env PTXAS=%ptxas %python %s
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the examples need no more instructions of PTX and registers for sm_90 than the stored table says."""
import os
import re

import guard

LINE = re.compile(r"^(\S+): (\d+) registers, .*, (\d+) instructions of PTX$", re.MULTILINE)


def measure():
    rows = {}
    for source, kernels in guard.examples():
        # libclc is a package of LLVM's version. CUDA toolkits have different libdevices.
        _, report = guard.compiled(source, "--target", "sm_90", "--math-library", "libclc", "--stats", "-o", os.devnull,
                                   *kernels)
        for name, registers, instructions in LINE.findall(report):
            rows[f"{source.stem}: {name}"] = {"instructions": int(instructions), "registers": int(registers)}
    return rows


guard.run("gpu-code", measure, {"instructions": guard.at_most(percent=3, more=2), "registers": guard.at_most(more=4)},
          {"ptxas": guard.version_of(os.environ["PTXAS"], "--version")})
