# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s
# REQUIRES: valgrind
# UNSUPPORTED: asan
"""Compiling three kernels executes at most 3 % more instructions than the stored table says. valgrind counts them, on
one processor and without the environment, so that two counts differ by less than 0.001 %. The instructions that start
the program are subtracted. cachegrind without its caches counts what callgrind counts, in two thirds of the time."""
import os
import re
import subprocess

import guard

KERNELS = {
    "vector_add, sm_80": ["vector_add", "sm_80"],
    "stencil, sm_80": ["stencil", "sm_80"],
    "saxpy, cpu:x86-64-v3": ["saxpy", "cpu:x86-64-v3"],
}


def instructions(*arguments):
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + os.devnull,
                           "simple", *arguments], capture_output=True, text=True, check=True,
                          env={"PATH": os.environ["PATH"], "SPL_CACHE": "off"})
    return int(re.search(r"I *refs: *([\d,]+)", done.stderr).group(1).replace(",", ""))


def measure():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    start = instructions("--version")
    return {name: {"instructions": instructions("compile", f"{guard.EXAMPLES}/{file}.spl", "--target", target, "-o",
                                                os.devnull) - start}
            for name, (file, target) in KERNELS.items()}


guard.run("compile-work", measure, {"instructions": guard.at_most(percent=3)},
          {"valgrind": guard.version_of("valgrind", "--version")})
