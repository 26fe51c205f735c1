# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For each pair of integer types and each place where a value of one meets the other: the compiler accepts the
statement if and only if the rules of docs/language.md on widening allow it, and the result has the wider type.
"""
import itertools
import re
import subprocess
import sys
import tempfile

INTEGERS = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)]

# Statements with 's' of type S where T is expected; 't' has type T. '|' separates lines.
EXPECTED = [
    "val _x: T = s", "var x = t|x = s|takes(x)", "takes(s)", "takes(x: s)", "takes_two(t, s)", "return s",
    "generic[T](s)", "second[T](s, t)", "second[T](t, s)", "plain(true, s)", "out[0] = s", "val _x = P(s)",
    "val _x = P(p: s)", "val _x: (T, bool) = (s, true)", "val _x: [T; 2] = [s, t]", "val _x: [T; 2] = [t, s]",
    "val _x: [[T; 1]; 1] = [[s]]", "val _x = Tx2(s, t)", "val _x = Tx2(s) + t", "val _x = Tx2(t) + s",
    "val _x = s / Tx2(t)", "val _x: T = s if i == 0 else s", "var x = t|x += s|takes(x)", "var x = t|x &= s|takes(x)",
    "out[0] -= s", "gpu.store(out, 0, s, cache: keep)", "out[0] = COUNT",
    "match t:|    case COUNT: pass|    case _: pass", "val _x = math.max(Tx2(t), s)", "sized[COUNT]()",
]
# Expressions with 's' of type S and 't' of type T, of type bool.
COMPARED = ["s == t", "t != s", "s < t", "t >= s", "s <= t <= s", "t < s < t", "0 < s < t"]
# Expressions with 's' and 't' that have the wider type.
COMBINED = [
    "s + t", "t - s", "s / t", "t % s", "s & t", "t ^ s", "s if i == 0 else t", "t if i == 0 else s", "[s, t][i]",
    "[t, 1, s][i]", "math.min(s, t)", "math.max(t, s)", "math.clamp(s, 3, t)", "1 + s - t", "s ** t",
]
RANGES = ["s..t", "t..=s", "s..s step t", "t..t step s", "0..t step s", "s..9 step t", "s..t step 1"]
# Expressions with 's' and 't' that have the type of 's', whatever that of 't' is.
UNRELATED = ["s << t", "s >> t", "math.rotl(s, t)", "[s][t]", "[s][t..][0]", "gpu.shuffle(s, t)"]
# Calls in which both determine one generic parameter, so that their types must be the same.
INFERRED = ["second(s, t)", "second(t, s)", "second(_y: s, x: t)", "fill(s, out)", "fill(a: out, x: s)"]

HEAD = """\
const COUNT: S = 3
struct P:
    p: T
fn takes(x: T) -> T: return x
fn takes_two(_y: T, x: T) -> T: return x
fn generic[G](x: G) -> G: return x
fn second[G](_y: G, x: G) -> G: return x
fn plain[G](_g: G, x: T) -> T: return x
fn fill[G](x: G, a: &mut [G]): a[0] = x
fn sized[const N: T]() -> T: return N
fn exactly(x: [WIDER; 1]) -> WIDER: return x[0]
fn exactly_s(x: [S; 1]) -> S: return x[0]
#[gpu]
fn kernel(): pass
"""


def values(kind):
    width = int(kind[1:])
    return (0, (1 << width) - 1) if kind[0] == "u" else (-(1 << width - 1), (1 << width - 1) - 1)


def fits(source, target):
    """Whether every value of one integer type is a value of the other one."""
    (least, most), (low, high) = values(source), values(target)
    return low <= least and most <= high


def wider(a, b):
    return b if fits(a, b) else a if fits(b, a) else None


def rows(source, target):
    """Statements, and whether the compiler must accept each."""
    both = wider(source, target) is not None
    for text in EXPECTED:
        yield text, fits(source, target)
    for text in COMPARED:
        yield f"val _x = {text}", both
    # An array never converts, so its type shows the type of its element.
    for text in COMBINED:
        yield f"val x = {text}|exactly([x])", both
    for text in RANGES:
        yield f"for x in {text}: exactly([x])", both
    for text in UNRELATED:
        yield f"val x = {text}|exactly_s([x])", True
    for text in INFERRED:
        yield text, source == target


def filled(text, source, target):
    for name, kind in (("WIDER", wider(source, target) or target), ("S", source), ("T", target)):
        text = re.sub(rf"\b{name}(?=\b|x2)", kind, text)
    return text


def check(source, target):
    """Compiles one function for each statement. Returns those that are judged wrongly."""
    text, number_at = filled(HEAD, source, target), {}
    for number, (statement, _) in enumerate(rows(source, target)):
        result = f" -> {target}" if statement.startswith("return") else ""
        lines = [f"fn row{number}(s: {source}, t: {target}, i: i64, out: &mut [{target}]){result}:"]
        lines += ["    " + line for line in filled(statement, source, target).split("|")]
        for line in lines:
            text += line + "\n"
            number_at[text.count("\n")] = number
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["simple", "compile", file.name, "-o", "/dev/null"], capture_output=True, text=True,
                              check=False, timeout=60)
    refused = set()
    for line in done.stderr.splitlines():
        if line.startswith(file.name) and ": error: " in line:
            refused.add(number_at[int(line[len(file.name) + 1:].split(":")[0])])
            if not line.endswith(("[type-mismatch]", "[operand-mismatch]")):
                sys.exit(f"S = {source}, T = {target}: unexpected message: {line}")
    if done.returncode != (1 if refused else 0):
        sys.exit(f"S = {source}, T = {target}: status {done.returncode}: {done.stderr}")
    return [f"S = {source}, T = {target}: '{statement}' is {'refused' if number in refused else 'accepted'}"
            for number, (statement, right) in enumerate(rows(source, target)) if (number in refused) == right]


failures = []
for one, two in itertools.product(INTEGERS, INTEGERS):
    failures += check(one, two)
sys.exit("\n".join(failures[:20]) or 0)
