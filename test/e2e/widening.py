# DEFINE: %{launch} = --global 25 --local 25 --arg out=u64[9450] --print out --full
# RUN: %python %s source > %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s expected > %t.txt
# RUN: simple run %t.spl --backend cpu %{launch} > %t.cpu
# RUN: diff %t.cpu %t.txt
# RUN: simple run %t.spl --backend cpu -O0 %{launch} > %t.cpu0
# RUN: diff %t.cpu0 %t.txt
# RUN: %run-ptx %t.spl %{launch} > %t.ptx
# RUN: diff %t.ptx %t.txt
"""Each pair of integer types of which one widens to the other, in each operation, at the edges of both types."""
import itertools
import sys

INTEGERS = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)]
EDGES = 5


def limits(kind):
    width = int(kind[1:])
    return (0, (1 << width) - 1) if kind[0] == "u" else (-(1 << width - 1), (1 << width - 1) - 1)


def edges(kind):
    least, most = limits(kind)
    return [least, least + 1, 1 if kind[0] == "u" else -1, most // 3, most]


def fits(source, target):
    return limits(target)[0] <= limits(source)[0] and limits(source)[1] <= limits(target)[1]


PAIRS = [(s, t) for s, t in itertools.permutations(INTEGERS, 2) if fits(s, t)]


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# An expression with 's' of the narrow type S and 't' of the wide type T, and its value before it wraps in T.
VALUES = {
    "s + t": lambda s, t, i: s + t,
    "t - s": lambda s, t, i: t - s,
    "s * t": lambda s, t, i: s * t,
    "s / (t | 1)": lambda s, t, i: quotient(s, t | 1),
    "t % (s | 1)": lambda s, t, i: t - (s | 1) * quotient(t, s | 1),
    "s & t": lambda s, t, i: s & t,
    "t ^ s": lambda s, t, i: s ^ t,
    "math.min(s, t)": lambda s, t, i: min(s, t),
    "math.max(t, s)": lambda s, t, i: max(s, t),
    "s if i % 2 == 0 else t": lambda s, t, i: t if i % 2 else s,
    "[t, s][i % 2]": lambda s, t, i: s if i % 2 else t,
    "passed_{T}(s)": lambda s, t, i: s,
    "returned_{S}_{T}(s)": lambda s, t, i: s,
    "added_{S}_{T}(t, s)": lambda s, t, i: t + s,
    "rounds_{S}_{T}(s, t)": lambda s, t, i: sum(range(s, t)[:3]),
}
# The same of type bool.
TRUTHS = {
    "s < t": lambda s, t, i: s < t,
    "t <= s": lambda s, t, i: t <= s,
    "s == t": lambda s, t, i: s == t,
    "s <= t <= s + 0 * t": lambda s, t, i: s == t,
    "matches_{S}_{T}(t) == (s as {T} == t)": None,
    "t != s as {T}": lambda s, t, i: s != t,
}
OF_TYPE = """\
const EDGES_{T}: [{T}; 5] = {edges}
fn passed_{T}(x: {T}) -> {T}: return x
"""
OF_PAIR = """\
const LEAST_{S}_{T}: {S} = {least}
const MOST_{S}_{T}: {S} = {most}
fn returned_{S}_{T}(x: {S}) -> {T}: return x
fn added_{S}_{T}(x: {T}, by: {S}) -> {T}:
    var sum = x
    sum += by
    return sum
fn rounds_{S}_{T}(from: {S}, to: {T}) -> {T}:
    var sum: {T} = 0
    var count = 0
    for x in from..to:
        sum += x
        count += 1
        if count == 3: break
    return sum
fn matches_{S}_{T}(t: {T}) -> bool:
    match t:
        case LEAST_{S}_{T} | MOST_{S}_{T}: return true
        case _: return false
fn row_{S}_{T}(s: {S}, t: {T}, i: i64, out: &mut [u64]):
"""


def value(function, source, target, i):
    s, t = edges(source)[i % EDGES], edges(target)[i // EDGES]
    if function is None:
        return (t in limits(source)) == (s == t)
    least, most = limits(target)
    result = function(s, t, i)
    return result if isinstance(result, bool) else (result - least) % (most - least + 1) + least


def print_source():
    for kind in INTEGERS:
        print(OF_TYPE.format(T=kind, edges=edges(kind)), end="")
    for s, t in PAIRS:
        least, most = limits(s)
        print(OF_PAIR.format(S=s, T=t, least=least, most=most), end="")
        for number, text in enumerate([*VALUES, *TRUTHS]):
            kind = t if text in VALUES else "bool"
            print(f"    val x{number}: {kind} = {text.format(S=s, T=t)}")
            print(f"    out[{number}] = x{number} as u64")
    print("#[gpu]\nfn kernel(out: &mut [u64]):\n    val i = gpu.global_id()")
    count = len(VALUES) + len(TRUTHS)
    for number, (s, t) in enumerate(PAIRS):
        row = f"out[(i * {len(PAIRS)} + {number}) * {count}..]"
        print(f"    row_{s}_{t}(EDGES_{s}[i % {EDGES}], EDGES_{t}[i / {EDGES}], i, {row})")


if sys.argv[1] == "source":
    print_source()
else:
    numbers = [value(function, s, t, i) % (1 << 64)
               for i in range(EDGES * EDGES) for s, t in PAIRS for text, function in {**VALUES, **TRUTHS}.items()]
    assert len(numbers) == 9450, len(numbers)
    print("out = [" + ", ".join(str(int(number)) for number in numbers) + "]")
