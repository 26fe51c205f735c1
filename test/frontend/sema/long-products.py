# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The search for products that wrap takes linear time in long and deep expressions, not exponential time."""
import subprocess
import sys
import tempfile

LENGTH = 900  # operators in one chain
DEPTH = 120   # nested parentheses


def nested(text):
    """The expression with itself in place of '$', DEPTH times."""
    result = "i"
    for _ in range(DEPTH):
        result = text.replace("$", result)
    return result


values = {
    " + ".join(["i"] * LENGTH): 0,
    " * ".join(["i"] * LENGTH): 1,
    " - ".join(["i * 1"] * (LENGTH // 2)): 0,
    nested("(i * 1 + $)"): 0,
    nested("(i if i > 0 else $)"): 0,
    nested("(($ + 1) as i64 as i32)"): 0,
    nested("(($ * 2) as i64 as i32)"): DEPTH,
}
text = "#[gpu]\nfn kernel(i: i32, out: &mut [i64]):\n"
for number, value in enumerate(values):
    text += f"    val x{number} = {value}\n    out[x{number}] = {value}\n"
# Each value is in two statements, of which only the second one widens it. A cast widens in both.
expected = sum(count * (2 if count == DEPTH else 1) for count in values.values())

with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
    file.write(text)
    file.flush()
    done = subprocess.run(["simple", "compile", file.name, "--emit", "mir", "-o", "/dev/null"], capture_output=True,
                          text=True, check=False, timeout=60)
found = done.stderr.count("[wrap-before-widening]")
if done.returncode != 0 or found != expected:
    sys.exit(f"status {done.returncode}, {found} warnings instead of {expected}: {done.stderr[:500]}")
