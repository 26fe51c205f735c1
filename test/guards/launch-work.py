# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s
# REQUIRES: valgrind
# UNSUPPORTED: asan
"""A launch executes at most 5 % more instructions of the runtime than the stored table says. The driver of the launches
for CUDA does nothing. A launch on the CPU contains what its one group executes."""
import guard

LAUNCHES = 2000


def measure():
    return {kind: {"instructions": (guard.instructions("launch-work", kind, LAUNCHES)
                                    - guard.instructions("launch-work", kind, 0)) // LAUNCHES}
            for kind in ["cuda", "stream", "contract", "c", "cpu"]}


guard.run("launch-work", measure, {"instructions": guard.at_most(percent=5)},
          {"valgrind": guard.version_of("valgrind", "--version")})
