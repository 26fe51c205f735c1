# RUN: %python %s %slowdown
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A block of many checks and loads takes linear time, and at most 16 checks share a branch."""
import resource
import subprocess
import sys

COUNT = 10_000
SECONDS = 10 * int(sys.argv[1])  # of the processor; a pass that takes quadratic time needs many times as long

lines = [f"""
  %j{i} = arith.addi %i, %c{i} : i64
  %in{i} = arith.cmpi ult, %j{i}, %n : i64
  spl.check %in{i}, <"index-out-of-bounds">(%j{i}, %n) {{subject = "a"}}
  %x{i} = spl.load %a[%j{i}] : !spl.slice<i32>""" for i in range(COUNT)]
constants = [f"  %c{i} = arith.constant {i} : i64\n" for i in range(COUNT)]
kernel = ('spl.kernel @k(%a: !spl.slice<i32> {spl.name = "a"}, %i: i64 {spl.name = "i"}) attributes '
          '{signature = #spl.signature<"k()">} {\n' + "".join(constants)
          + "  %n = spl.extent %a, 0 : !spl.slice<i32>" + "".join(lines) + "\n  spl.return\n}\n")
done = subprocess.run(["simple-opt", "--spl-join-checks"], input=kernel, capture_output=True, text=True, check=False,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
assert done.returncode == 0, (done.returncode, done.stderr)
assert done.stdout.count("scf.if") == COUNT // 16, done.stdout.count("scf.if")
assert done.stdout.count("spl.check %false") == COUNT // 16
