# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When the contents of a local array are the same for all work-items: each kind of write in each kind of branch.

A value that is loaded from the array afterwards decides about a barrier. That is an error if the write diverges:
it writes a divergent value, or only some work-items make it.
"""
import subprocess
import sys

# Each writes VALUE (%lane or %n) to the slice %s. %from is an array that holds VALUE.
WRITES = {
    "store": "spl.store VALUE, %s[%zero] : <i64, mut>",
    "copy": "spl.copy %from[%zero], %s[%zero] : !spl.slice<i64, mut>, !spl.slice<i64, mut>",
    "call": "spl.call @write(%s, VALUE) : (!spl.slice<i64, mut>, i64) -> ()",
}
# The slice that is written to, of the array %array.
VIEWS = {
    "the array": "",
    "a view": "%view = spl.subslice %array[%zero to %two] : !spl.slice<i64, mut>",
    "a choice": "%view = arith.select %true, %array, %array : !spl.slice<i64, mut>",
}
# What is around the write; %divergent is a condition or a bound that differs, unless it is made of %n.
BRANCHES = {
    "no branch": ("", ""),
    "if": ("scf.if CONDITION {", "}"),
    "else": ("scf.if CONDITION {\n } else {", "}"),
    "for": ("scf.for %i = %zero to BOUND step %one : i64 {", "}"),
    "for from": ("scf.for %i = BOUND to %two step %one : i64 {", "}"),
    "while": ("scf.while : () -> () { scf.condition(CONDITION) } do {", "scf.yield }"),
    "if in if": ("scf.if CONDITION { scf.if %true {", "} }"),
    "if in a loop": ("scf.for %i = %zero to BOUND step %one : i64 { scf.if %true {", "} }"),
}


def kernel(write, view, branch, value, bound):
    opening, closing = BRANCHES[branch]
    text = WRITES[write].replace("VALUE", value).replace("%s", "%view" if VIEWS[view] else "%array")
    around = f"{opening}\n  {text}\n  {closing}"
    around = around.replace("CONDITION", f"%is_{bound[1:]}").replace("BOUND", bound)
    return f"""spl.func private @write(%to: !spl.slice<i64, mut>, %x: i64) {{
  %zero = arith.constant 0 : i64
  spl.store %x, %to[%zero] : <i64, mut>
  spl.return
}}
spl.kernel @k(%n: i64 {{spl.name = "n"}}) attributes {{signature = #spl.signature<"k(n: i64)">}} {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %true = arith.constant true
  %lane = spl.intrinsic "gpu.lane_id" : () -> i64
  %is_lane = arith.cmpi eq, %lane, %zero : i64
  %is_n = arith.cmpi eq, %n, %zero : i64
  %from = spl.local 1 : !spl.slice<i64, mut>
  spl.store {value}, %from[%zero] : <i64, mut>
  %array = spl.local 16 : !spl.slice<i64, mut>
  {VIEWS[view]}
  {around}
  %x = spl.load %array[%zero] : <i64, mut>
  %c = arith.cmpi eq, %x, %zero : i64
  scf.if %c {{
    spl.intrinsic "gpu.barrier" : () -> ()
  }}
  spl.return
}}
"""


names, texts = [], []
for write in WRITES:
    for view in VIEWS:
        for branch in BRANCHES:
            for value in ("%n", "%lane"):
                for bound in ("%n", "%lane"):
                    diverges = value == "%lane" or (bound == "%lane" and branch != "no branch")
                    names.append((f"{write}, {view}, {branch}, {value} within {bound}", diverges))
                    texts.append(kernel(write, view, branch, value, bound))

# An error is about a part of the input, and what follows is still read.
result = subprocess.run(["simple-opt", "-", "-split-input-file", "-spl-check-barriers", "-o", "/dev/null"],
                        input="// -----\n".join(texts), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        text=True, check=False)
lines = [int(line.split(":")[1]) for line in result.stdout.splitlines() if ": error: " in line]
refused, at = [], 0
for text in texts:
    length = text.count("\n")
    refused.append(any(at < line <= at + length for line in lines))
    at += length + 1
wrong = [f"{name}: expected {'an error' if diverges else 'no error'}\n{text}"
         for (name, diverges), text, found in zip(names, texts, refused) if found != diverges]
if wrong or len(lines) < len(texts) // 2:
    sys.exit("\n".join(wrong[:5] + [f"{len(wrong)} of {len(texts)} are wrong", result.stdout[:2000]]))
