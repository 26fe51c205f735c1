# RUN: %python %s source > %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s expected > %t.txt
# DEFINE: %{launch} = --global 1 --local 1 --arg out=u64[120] --print out --full
# RUN: simple run %t.spl --backend cpu %{launch} > %t.cpu
# RUN: diff %t.cpu %t.txt
# RUN: %run-ptx %t.spl %{launch} > %t.ptx
# RUN: diff %t.ptx %t.txt
"""The constants of each number type, named directly and through a generic parameter, as bits; and sizes of types."""
import sys

# Digits with the hidden one, and bits of the exponent.
FLOATS = {"f16": (11, 5), "bf16": (8, 8), "f32": (24, 8), "f64": (53, 11)}
INTEGERS = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)]
SIZES = {"i8": 1, "bool": 1, "f64": 8, "f32x4": 16, "u8x2": 2, "[i16; 5]": 10, "Odd": 24, "[Odd; 3]": 72, "Kind": 4}


def integer(kind, name):
    width = int(kind[1:])
    unsigned = kind[0] == "u"
    return {
        "MAX": (1 << width) - 1 if unsigned else (1 << width - 1) - 1,
        "MIN": 0 if unsigned else 1 << width - 1,
        "BITS": width,
    }[name]


def floating(kind, name):
    digits, exponent = FLOATS[kind]
    fraction, bias = digits - 1, (1 << exponent - 1) - 1
    largest = ((1 << exponent) - 2 << fraction) | (1 << fraction) - 1
    return {
        "MAX": largest,
        "MIN": largest | 1 << fraction + exponent,
        "BITS": 1 + exponent + fraction,
        "EPSILON": bias - fraction << fraction,
        "MIN_POSITIVE": 1 << fraction,
    }[name]


def constants():
    for kind in INTEGERS:
        for name in ("MAX", "MIN", "BITS"):
            yield kind, name, integer(kind, name)
    for kind in FLOATS:
        for name in ("MAX", "MIN", "BITS", "EPSILON", "MIN_POSITIVE"):
            yield kind, name, floating(kind, name)


def source():
    print("struct Odd:\n    a: i8\n    b: f64\n    c: i16\n")
    print("enum Kind:\n    One\n")
    for name in ("MAX", "MIN", "EPSILON", "MIN_POSITIVE"):
        bound = "Num" if name in ("MAX", "MIN") else "Float"
        print(f"fn {name.lower()}_of[T: {bound}](like: T) -> T:\n    return T.{name} + (like - like)\n")
    print("fn bits_of[T: Num](_like: T) -> i64:\n    return T.BITS\n")
    print("fn bytes_of[T: Num](_like: T) -> i64:\n    return size_of[T]()\n")
    print("const HALF: i32 = i32.MAX / 2")
    print("const SIZE = size_of[Odd]() * 2\n")
    print("#[gpu]\nfn k(out: &mut [u64]):")
    at = 0
    for kind, name, _ in constants():
        width = kind[1:] if kind != "bf16" else "16"
        for text in (f"{kind}.{name}", f"{name.lower()}_of(0 as {kind})"):
            bits = text if name == "BITS" else f"math.bitcast[u{width.replace('f', '')}]({text})"
            print(f"    out[{at}] = ({bits}) as u64")
            at += 1
    for kind in SIZES:
        print(f"    out[{at}] = size_of[{kind}]() as u64")
        at += 1
    for text in ("bytes_of(1.0f64)", "HALF", "SIZE", "math.bitcast[u32](f32x4.MAX.z)", "u8x4.BITS", "[0u8; size_of[Odd]()].len()"):
        print(f"    out[{at}] = ({text}) as u64")
        at += 1


def expected():
    numbers = [value for _, _, value in constants() for _ in range(2)] + list(SIZES.values())
    numbers += [8, (2**31 - 1) // 2, 48, 0x7F7FFFFF, 32, 24]
    print(f"out = [{', '.join(map(str, numbers + [0] * (120 - len(numbers))))}]")


source() if sys.argv[1] == "source" else expected()
