# RUN: %python %s > %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: simple run %t.spl --backend cpu -O0 --global 1 --local 1 --arg zero=0 --arg out=u64[120] --print out --full > %t.txt
# RUN: FileCheck %s --input-file %t.txt
# CHECK: out = [{{(0, )*0}}]
"""Random functions give the same bits when a constant calls them and when a kernel does.

out[i] is the difference, by xor, of constant i and of the call at run time.
"""
import random

INTEGERS = [f"{sign}{width}" for sign in "iu" for width in (8, 16, 32, 64)]
FLOATS = ["f16", "bf16", "f32", "f64"]


class Maker:
    """One function of numbers of type `kind`, with an array, a struct and a loop in a loop."""

    def __init__(self, seed, kind):
        self.random = random.Random(seed)
        self.kind = kind
        self.names = ["a", "b"]

    def one_of(self, *choices):
        return self.random.choice(choices)

    def literal(self):
        number = self.random.randrange(100)
        return f"{number}.0{self.kind}" if self.kind in FLOATS else f"{number}{self.kind}"

    def place(self):
        return self.one_of("x", "y", "box.low", "box.list[i % 4]", "list[i % 4]", "list[(i + 1) % 4]", "v.y",
                           "v[i % 2]" if self.has_vector() else "x")

    def has_vector(self):
        return self.kind in ("i8", "u8", "i16", "u32", "f32", "i32")

    def value(self, depth=2):
        if depth == 0 or self.random.random() < 0.2:
            place = self.place()
            if place.startswith("v") and not self.has_vector():
                place = "x"
            return self.one_of(self.literal(), "a", "b", place)
        left, right = self.value(depth - 1), self.value(depth - 1)
        operators = ["+", "-", "*"] if self.kind in FLOATS else ["+", "-", "*", "&", "|", "^", "<<", ">>"]
        return self.one_of(f"({left} {self.one_of(*operators)} {right})", f"math.max({left}, {right})",
                           f"({left} if {right} > {self.literal()} else {right})", f"moved(&mut {self.mutable()}, {left})")

    def mutable(self):
        return self.one_of("x", "box.low", "list[i % 4]")

    def statement(self, depth):
        place = self.place()
        if place.startswith("v") and not self.has_vector():
            place = "y"
        choices = [f"{place} {self.one_of('', '+', '-', '*')}= {self.value()}", f"list = box.list", "box.list[1] = list[2]",
                   f"box.bump({self.value(1)})", f"(x, y) = (y, {self.value(1)})", f"x = total(list)", "x = total(list[i % 4..])", "y = total(box.list[..2][1..])"]
        if depth:
            body = [self.statement(depth - 1) for _ in range(2)]
            inner = "\n".join("    " + line for text in body for line in text.split("\n"))
            end = self.one_of("", "\n    if x > y: break", "\n    if i > 2: continue")
            choices += [f"if {self.value(1)} {self.one_of('<', '>=', '==')} {self.value(1)}:\n{inner}\nelse:\n    y = {self.value(1)}",
                        f"for j in {self.one_of('0..3', '5..=1 step -2', '(0..7 step 3).reversed()')}:\n{inner}{end}\n    x += j as {self.kind}"] * 3
        return self.one_of(*choices)

    def text(self, number):
        kind = self.kind
        lines = ["var x = a", "var y = b", "var list = [a, b, a, b]", f"var box = Box_{kind}(b, [b, a, a, a])"]
        if self.has_vector():
            lines.append(f"var v = {kind}x2(a, b)")
        lines.append("for i in 0..5:")
        for _ in range(4):
            lines += ["    " + line for line in self.statement(2).split("\n")]
        lines.append("return x + y + total(list) + total(box.list) + box.low" + (" + v.x - v.y" if self.has_vector() else ""))
        body = "\n".join("    " + line for line in lines)
        return f"fn g{number}(a: {kind}, b: {kind}) -> {kind}:\n{body}\n"


print("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
print("fn moved[T: Num](x: &mut T, by: T) -> T:\n    x += by\n    return x - by\n")
print("fn total[T: Num](list: &[T]) -> T:\n    var sum: T = 0\n    for x in list: sum += x\n    return sum\n")
for kind in INTEGERS + FLOATS:
    print(f"struct Box_{kind}:\n    low: {kind}\n    list: [{kind}; 4]\n    fn bump(&mut self, by: {kind}):\n"
          f"        self.low += by\n        self.list[2] = self.low\n")
kernel = []
for number in range(120):
    kind = (INTEGERS + FLOATS)[number % 12]
    maker = Maker(number, kind)
    a, b = maker.literal(), maker.literal()
    print(maker.text(number))
    print(f"const C{number} = g{number}({a}, {b})\n")
    bits = {"f16": "u16", "bf16": "u16", "f32": "u32", "f64": "u64"}.get(kind)
    both = [f"C{number}", f"g{number}({a} + (zero as {kind}), {b})"]
    if bits:
        both = [f"math.bitcast[{bits}](not_nan({text}))" for text in both]
    kernel.append(f"    out[{number}] = ({both[0]} ^ {both[1]}) as u64")
print("fn not_nan[T: Float](x: T) -> T:\n    return x if x == x else 1\n")
print("#[gpu]\nfn k(zero: i32, out: &mut [u64]):")
print("\n".join(kernel))
