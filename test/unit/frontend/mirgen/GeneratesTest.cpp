// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that the module verifies for all kinds of statements and expressions, and for their
// combinations.
#include "Generate.h"
#include <gtest/gtest.h>

using namespace spl::test;

namespace {

struct Body {
  const char *name;
  const char *text; ///< indented by four spaces
};

/// Names a case after its body in GoogleTest's output.
void PrintTo(const Body &body, std::ostream *os) { *os << body.name; }

class InKernel : public testing::TestWithParam<Body> {};
class InFunction : public testing::TestWithParam<Body> {};

const Body kernelBodies[] = {
    {"empty", "    pass\n"},
    {"let", "    val a = n + 1\n    val b: i32 = a\n    out[0] = b\n"},
    {"var", "    var a = n\n    a = a + 1\n    out[0] = a\n"},
    {"compound-local", "    var a = n\n    a += 2\n    a <<= 3\n    a %= 7\n    out[0] = a\n"},
    {"compound-element", "    out[n] += 2\n    out[u] -= n\n    out[0] ^= 5\n"},
    {"compound-fused", "    y[0] += x * x\n    y[1] -= x * x\n"},
    {"integer-operators", "    out[0] = n + 1 - n * n / 3 % 5\n    out[1] = n & 7 | n ^ 1\n"},
    {"unsigned-operators", "    out[0] = (u / 3 % (u + 1)) as i32\n    out[1] = (u >> 3) as i32\n"},
    {"division", "    out[0] = n / n\n    out[1] = n % n\n    out[2] = n / -1\n"},
    {"division-by-zero", "    out[0] = n / 0\n"},
    {"shifts", "    out[0] = n << u\n    out[1] = n >> 35\n    out[2] = 1 << (n as i8)\n"},
    {"power",
     "    out[0] = n ** n\n    out[1] = n ** 5\n    out[2] = n ** 0\n    out[3] = n ** 1000\n"},
    {"power-unsigned", "    out[0] = (u ** u) as i32\n    out[1] = (u ** 70) as i32\n"},
    {"power-widths", "    out[0] = ((n as i64) ** 99 + ((n as i8) ** (n as i8)) as i64) as i32\n"},
    {"power-float", "    y[0] = x ** 2.0\n"},
    {"unary", "    out[0] = -n\n    out[1] = ~n\n    y[0] = -x\n    out[2] = (not b) as i32\n"},
    {"float-operators", "    y[0] = x + 1.0 - x / 2.0\n    y[1] = x % 3.0\n"},
    {"fma", "    y[0] = x * x + 1.0\n    y[1] = 1.0 - x * x\n    y[2] = x * x - 1.0\n"},
    {"compare", "    out[0] = (n < 3) as i32\n    out[1] = (x != x) as i32\n    out[2] = (b == "
                "true) as i32\n"},
    {"chain", "    if 0 <= n < 10:\n        out[0] = n\n"},
    {"chain-of-loads", "    if 0 <= out[0] < out[1] != out[2] < out[3]:\n        out[0] = n\n"},
    {"logical", "    if b and n > 0 or x < 1.0:\n        out[0] = n\n"},
    {"logical-loads", "    if n > 0 and out[n] > 0 or out[0] < 3 and b:\n        out[0] = n\n"},
    {"conditional", "    out[0] = n if b else 0\n    out[1] = out[2] if b else out[3]\n"},
    {"casts",
     "    y[0] = n as f32\n    y[1] = u as f32\n    out[0] = x as i32\n    out[1] = (x as u8) as "
     "i32\n"
     "    out[2] = (x as f64) as i32\n    out[3] = (n as i64) as i32\n    y[2] = b as f32\n"},
    {"extent", "    out[0] = out.len() as i32\n    out[1] = out.dim(0) as i32\n"},
    {"ids", "    val i = gpu.global_id()\n    if i < out.len():\n        out[i] = "
            "gpu.local_size(1) as i32\n"},
    {"math", "    y[0] = math.sqrt(x) + math.exp(x)\n    out[0] = math.min(n, math.abs(n))\n"
             "    out[1] = math.max(u, 3) as i32\n    y[1] = math.fma(x, x, x)\n"},
    {"if-else", "    var a: i32 = 0\n    if b:\n        a = 1\n    elif n > 3:\n        a = 2\n    "
                "else:\n        a = 3\n    out[0] = a\n"},
    {"if-shadow",
     "    val a = n\n    if b:\n        val a = n + 1\n        out[1] = a\n    out[0] = a\n"},
    {"guard-return", "    if n < 0:\n        return\n    out[0] = n\n"},
    {"guard-returns", "    if n < 0:\n        return\n    val a = n + 1\n    if b:\n        "
                      "return\n    out[0] = a\n"},
    {"guard-elif", "    if n < 0:\n        return\n    elif b:\n        out[1] = 1\n    else:\n    "
                   "    return\n    out[0] = n\n"},
    {"guard-var",
     "    var a = n\n    if b:\n        a = 3\n        return\n    a += 1\n    out[0] = a\n"},
    {"return-inside",
     "    if b:\n        if n > 0:\n            return\n        out[1] = 1\n    out[0] = n\n"},
    {"return-both", "    if b:\n        return\n    else:\n        return\n"},
    {"while", "    var i: i32 = 0\n    while i < n:\n        out[i] = i\n        i += 1\n"},
    {"while-loads", "    var i: i32 = 0\n    while out[i] != 0:\n        i += 1\n    out[0] = i\n"},
    {"while-break",
     "    var i: i32 = 0\n    while true:\n        if i >= n:\n            break\n       "
     " i += 1\n    out[0] = i\n"},
    {"while-break-loads",
     "    var i: i32 = 0\n    while out[i] > 0:\n        i += 1\n        if i == "
     "7:\n            break\n    out[0] = i\n"},
    {"while-continue",
     "    var i: i32 = 0\n    while i < n:\n        i += 1\n        if i == 3:\n      "
     "      continue\n        out[i] = i\n"},
    {"while-return", "    var i: i32 = 0\n    while i < n:\n        if out[i] == 0:\n            "
                     "return\n        i += 1\n    out[0] = 1\n"},
    {"while-forever", "    while true:\n        out[0] = n\n"},
    {"for", "    for i in 0..n:\n        out[i] = i\n"},
    {"for-sum", "    var s: i32 = 0\n    for i in 0..n:\n        s += i\n    out[0] = s\n"},
    {"for-unsigned", "    for i in 0..u:\n        out[i] = 1\n"},
    {"for-narrow", "    for i in 0u8..255:\n        out[i] = i as i32\n"},
    {"for-break",
     "    var s: i32 = 0\n    for i in 0..n:\n        if i == 5:\n            break\n      "
     "  s += i\n    out[0] = s\n"},
    {"for-break-unsigned",
     "    for i in 0..u:\n        if i == 5:\n            break\n        out[i] = 1\n"},
    {"for-continue", "    var s: i32 = 0\n    for i in 0..n:\n        if i == 5:\n            "
                     "continue\n        s += i\n    out[0] = s\n"},
    {"for-continue-inside", "    var s: i32 = 0\n    for i in 0..n:\n        if b:\n            if "
                            "i == 5:\n                "
                            "continue\n            s += 1\n        s += i\n    out[0] = s\n"},
    {"for-all",
     "    var s: i32 = 0\n    for i in 0..n:\n        if i == 5:\n            continue\n     "
     "   elif i == 9:\n            break\n"
     "        elif b:\n            return\n        s += i\n    out[0] = s\n"},
    {"for-nested", "    var s: i32 = 0\n    for i in 0..n:\n        for j in i..n:\n            if "
                   "j == 7:\n          "
                   "      break\n            s += j\n        s += 1\n    out[0] = s\n"},
    {"for-nested-return",
     "    for i in 0..n:\n        for j in i..n:\n            if j == 7:\n                return\n "
     "           out[j] = i\n        out[i] = 0\n    out[0] = 1\n"},
    {"for-nested-all",
     "    var s: i32 = 0\n    for i in 0..n:\n        var t = i\n        while t > 0:\n            "
     "t -= "
     "1\n            if t == 3:\n                continue\n"
     "            if t == 4:\n                break\n            if t == 5:\n                "
     "return\n            s += t\n        if s > 100:\n            break\n    out[0] = s\n"},
    {"break-last", "    for i in 0..n:\n        out[0] = i\n        break\n"},
    {"break-both",
     "    for i in 0..n:\n        if b:\n            break\n        else:\n            return\n"},
    {"slice-local", "    val view = out\n    view[0] = n\n"},
    {"slice-choice", "    val view = out if b else out\n    out[0] = view[1]\n"},
    {"calls", "    touch(out)\n    out[0] = twice(n) + first(out)\n"},
};

const Body functionBodies[] = {
    {"return", "    return n\n"},
    {"if-return", "    if b:\n        return 1\n    return 2\n"},
    {"if-else-return", "    if b:\n        return 1\n    elif n > 3:\n        return 2\n    "
                       "else:\n        return 3\n"},
    {"return-inside", "    var a = n\n    if b:\n        if n > 0:\n            return 1\n        "
                      "a = 3\n    return a\n"},
    {"return-from-for",
     "    for i in 0..n:\n        if s[i] == 3:\n            return i\n    return -1\n"},
    {"return-from-nest",
     "    for i in 0..n:\n        for j in 0..i:\n            if s[j] == i:\n                "
     "return j\n            if b:\n                continue\n    return -1\n"},
    {"return-from-endless",
     "    var i: i32 = 0\n    while true:\n        if s[i] == 0:\n            "
     "return i\n        i += 1\n"},
    {"endless", "    while true:\n        pass\n"},
    {"return-after-break",
     "    var a: i32 = 0\n    while a < n:\n        a += 1\n        if b:\n       "
     "     break\n        if a == 7:\n            return 7\n    return a\n"},
};

/// Functions that the kernel's bodies call.
const std::string functions = "fn twice(i: i32) -> i32:\n    return i + i\n"
                              "fn touch(s: &mut [i32]):\n    s[0] = 1\n"
                              "fn first(s: &[i32]) -> i32:\n    return s[0]\n";

} // namespace

TEST_P(InKernel, Verifies) {
  Generated generated(functions +
                      "#[gpu]\nfn k(n: i32, u: u32, x: f32, b: bool, out: &mut [i32], "
                      "y: &mut [f32]):\n" +
                      GetParam().text);
  EXPECT_EQ(generated.error(), "");
}
INSTANTIATE_TEST_SUITE_P(Bodies, InKernel, testing::ValuesIn(kernelBodies));

TEST_P(InFunction, Verifies) {
  Generated generated(std::string("fn f(n: i32, b: bool, s: &[i32]) -> i32:\n") + GetParam().text);
  EXPECT_EQ(generated.error(), "");
}
INSTANTIATE_TEST_SUITE_P(Bodies, InFunction, testing::ValuesIn(functionBodies));

TEST(Generates, TheSameTextTwice) {
  const char *source =
      "#[gpu]\nfn k(n: i32, out: &mut [i32]):\n    var a: i32 = 1\n    var b: i32 = 2\n"
      "    for i in 0..n:\n        b += i\n        a += b ** i\n"
      "    out[0] = a + b\n";
  Generated generated(source);
  ASSERT_EQ(generated.error(), "");
  EXPECT_EQ(generated.print(), Generated(source).print());
}

TEST(Generates, EmptyModule) {
  Generated generated("# nothing\n");
  EXPECT_EQ(generated.error(), "");
  EXPECT_EQ(generated.print(), "module {\n}\n");
}
