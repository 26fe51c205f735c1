# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s
# REQUIRES: valgrind, bolt
# UNSUPPORTED: asan
"""Compiling three kernels executes at most 3 % more instructions than the stored table says. The instructions that
start the program are subtracted."""
import os

import guard

KERNELS = {
    "vector_add, sm_80": ["vector_add", "sm_80"],
    "stencil, sm_80": ["stencil", "sm_80"],
    "saxpy, cpu:x86-64-v3": ["saxpy", "cpu:x86-64-v3"],
}


def measure():
    start = guard.instructions("simple", "--version")
    return {name: {"instructions": guard.instructions("simple", "compile", f"{guard.EXAMPLES}/{file}.spl", "--target",
                                                      target, "-o", os.devnull) - start}
            for name, (file, target) in KERNELS.items()}


guard.run("compile-work", measure, {"instructions": guard.at_most(percent=3)},
          {"valgrind": guard.version_of("valgrind", "--version")})
