# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constants are what the language says, for each operator and type of integers, each chain of two comparisons,
the length of arrays, and math.ldexp by every exponent around its limits.
"""
import itertools
import math
import operator
import re
import struct
import subprocess
import sys
import tempfile

COMPARISONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
               ">=": operator.ge}


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "/": truncated, "%": lambda a, b: a - b * truncated(a, b), "<<": operator.lshift,
    ">>": operator.rshift, "**": operator.pow,
}


def is_defined(op, a, b, width):
    if op in ("/", "%"):
        return b != 0
    if op in ("<<", ">>"):
        return 0 <= b < width
    return op != "**" or 0 <= b <= 200


rows = []  # text of a constant of type bool, and what it is
for width in (8, 16, 32, 64):
    for signed in (True, False):
        suffix = f"{'i' if signed else 'u'}{width}"
        least = -(1 << width - 1) if signed else 0
        most = least + (1 << width) - 1

        def text(number):
            return f"{number}{suffix}" if number >= 0 else f"(-{-number}{suffix})"

        def wrapped(number):
            return (number - least) % (1 << width) + least

        numbers = sorted({least, least + 1, most, most - 1, 0, 1, 3, width - 1, -1 if signed else 2})
        for a, b in itertools.product(numbers, numbers):
            for op, compare in COMPARISONS.items():
                rows.append((f"{text(a)} {op} {text(b)}", compare(a, b)))
            for op, compute in ARITHMETIC.items():
                if is_defined(op, a, b, width):
                    rows.append((f"{text(a)} {op} {text(b)} == {text(wrapped(compute(a, b)))}", True))
        for a in numbers:
            rows.append((f"~{text(a)} == {text(wrapped(~a))}", True))
            if signed:
                rows.append((f"-{text(a)} == {text(wrapped(-a))}", True))
for a, b, c in itertools.product(range(3), repeat=3):
    for (one, first), (two, second) in itertools.product(COMPARISONS.items(), repeat=2):
        rows.append((f"{a} {one} {b} {two} {c}", first(a, b) and second(b, c)))
for a, b in itertools.product((False, True), repeat=2):
    for op, value in (("and", a and b), ("or", a or b)):
        rows.append((f"{a} {op} not {b}".lower(), {"and": a and not b, "or": a or not b}[op]))
        rows.append((f"{a} {op} {b}".lower(), value))
for length in (1, 5, 1000):
    for number in (-1, 0, length - 1, length, length + 1):
        rows.append((f"OF_{length}.len() == {number}", length == number))
        rows.append((f"OF_{length}.len() - {number} < 0", length < number))
    rows.append((f"-OF_{length}.len() == -{length}", True))
    rows.append((f"OF_{length}.len() * -1 - 1 == ~OF_{length}.len()", True))

# Exponents beyond any that a float has, and those at which the result becomes infinite, subnormal and 0.
scaled = []
for exponent in [*range(-160, 140), -5001, -5000, -4999, 4999, 5000, 5001, -2**31, 2**31 - 1, -2**62, 2**62]:
    value = math.inf if exponent > 127 else math.ldexp(1.5, max(exponent, -1000))
    if 1.5 * 2.0**-126 <= value or exponent < -160:
        scaled.append((f"math.ldexp(1.5f32, {exponent}i64)", value if value >= 2.0**-126 else 0.0))

source = [*(f"const OF_{length}: [i32; {length}] = [0; {length}]" for length in (1, 5, 1000)),
          f"const R: [bool; {len(rows)}] = [{', '.join(row for row, _ in rows)}]",
          f"const S: [f32; {len(scaled)}] = [{', '.join(row for row, _ in scaled)}]",
          "#[gpu]", "fn k(a: &mut [bool], b: &mut [f32]):", "    val i = gpu.global_id()",
          "    a[i] = R[i]", "    b[i] = S[i]", ""]
with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
    file.write("\n".join(source))
    file.flush()
    result = subprocess.run(["simple", "compile", file.name, "--emit", "mir", "-o", "-"], capture_output=True,
                            text=True, check=False)
if result.returncode != 0:
    sys.exit(result.stderr[-3000:])
tables = re.findall(r"spl\.constant_data \[\[(.*?)\]\]", result.stdout)
found = {"bool": next(table for table in tables if "f32" not in table).split(", "),
         "f32": [number.split(" :")[0] for number in next(table for table in tables if "f32" in table).split(", ")]}
assert len(found["bool"]) == len(rows) and len(found["f32"]) == len(scaled), result.stdout[:500]
wrong = [f"{text} is {value}" for (text, right), value in zip(rows, found["bool"]) if value != str(right).lower()]
for (text, right), value in zip(scaled, found["f32"]):
    # MLIR writes some floats as their bits.
    number = struct.unpack("!f", bytes.fromhex(value[2:]))[0] if value.startswith("0x") else float(value)
    if abs(number - right) > 1e-6 * right and number != right:
        wrong.append(f"{text} is {value}, not {right}")
sys.exit("\n".join(wrong[:20]) or None)
