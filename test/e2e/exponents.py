# RUN: %python %s source > %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s expected > %t.txt
# DEFINE: %{launch} = --global 1 --local 1 --arg out=u64[224] --print out --full
# RUN: simple run %t.spl --backend cpu %{launch} > %t.cpu
# RUN: diff %t.cpu %t.txt
# RUN: simple run %t.spl --backend cpu -O0 %{launch} > %t.cpu0
# RUN: diff %t.cpu0 %t.txt
# RUN: %run-ptx %t.spl %{launch} > %t.ptx
# RUN: diff %t.ptx %t.txt
"""math.ldexp with exponents of every integer type, at the edges of the type and at those of the floats."""
import math
import struct
import sys

INTEGERS = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)]
EXPONENTS = [0, 5, -5, 127, -126, 200, -200, 1023, -1022, 40000, 2**31 - 1, -(2**31), 2**32 - 1, 2**63]
FLOATS = {"f32": ("u32", "f", "I"), "f64": ("u64", "d", "Q")}


def in_range(kind, number):
    """The exponent, limited to the type."""
    width = int(kind[1:])
    least, most = (0, 2**width - 1) if kind[0] == "u" else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    return min(max(number, least), most)


def bits(code, word, exponent):
    try:
        value = struct.pack(code, math.ldexp(1.5, exponent))
    except OverflowError:
        value = struct.pack(code, math.inf)
    return struct.unpack(word, value)[0]


def source():
    print("#[gpu]\nfn exponents(out: &mut [u64]):")
    at = 0
    for kind in INTEGERS:
        # A `var` that depends on the launch: the compiler does not know the exponents.
        print(f"    var n{kind} = gpu.local_id() as {kind}")
        for exponent in EXPONENTS:
            print(f"    n{kind} = ({in_range(kind, exponent)}) + gpu.local_id() as {kind}")
            for kind_of_float, (word, _, _) in FLOATS.items():
                print(f"    out[{at}] = math.bitcast[{word}](math.ldexp(1.5{kind_of_float}, n{kind}))")
                at += 1


def expected():
    numbers = [
        bits(code, word, in_range(kind, exponent))
        for kind in INTEGERS
        for exponent in EXPONENTS
        for _, code, word in FLOATS.values()
    ]
    print(f"out = [{', '.join(map(str, numbers))}]")


source() if sys.argv[1] == "source" else expected()
