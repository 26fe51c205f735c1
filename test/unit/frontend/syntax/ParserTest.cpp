// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the trees of valid programs: precedence, statements, items.

#include "ParsedSource.h"
#include <gtest/gtest.h>

using spl::test::expression;
using spl::test::ParsedSource;

namespace {

struct ExpressionRow {
  const char *text;
  const char *tree;
};

class ExpressionTrees : public testing::TestWithParam<ExpressionRow> {};

TEST_P(ExpressionTrees, AreAsThePrecedencesSay) {
  EXPECT_EQ(expression(GetParam().text), GetParam().tree) << GetParam().text;
}

const ExpressionRow expressionRows[] = {
    // Pairs of operators with adjacent precedence, from low to high.
    {"a if c else b", "(if c a b)"},
    {"a if c else b if d else e", "(if c a (if d b e))"},
    {"(a if c else b) if d else e", "(if d (if c a b) e)"},
    {"a or b if c or d else e or f", "(if (or c d) (or a b) (or e f))"},
    {"a or b and c", "(or a (and b c))"},
    {"a and b or c", "(or (and a b) c)"},
    {"a or b or c", "(or (or a b) c)"},
    {"not a and b", "(and (not a) b)"},
    {"a and not b", "(and a (not b))"},
    {"not not a", "(not (not a))"},
    {"not a == b", "(not (== a b))"},
    {"a == b | c", "(== a (| b c))"},
    {"a | b < c", "(< (| a b) c)"},
    {"a | b ^ c", "(| a (^ b c))"},
    {"a ^ b & c", "(^ a (& b c))"},
    {"a & b << c", "(& a (<< b c))"},
    {"a << b + c", "(<< a (+ b c))"},
    {"a >> b << c", "(<< (>> a b) c)"},
    {"a + b * c", "(+ a (* b c))"},
    {"a * b + c", "(+ (* a b) c)"},
    {"a - b - c", "(- (- a b) c)"},
    {"a - b + c", "(+ (- a b) c)"},
    {"a / b * c % d", "(% (* (/ a b) c) d)"},
    {"a * b as f32", "(* a (as b f32))"},
    {"a as f32 * b", "(* (as a f32) b)"},
    {"a as i32 as f32", "(as (as a i32) f32)"},
    {"-a as u32", "(as (- a) u32)"},
    {"-1 as u32", "(as (- 1) u32)"},
    {"a as i64 < b", "(< (as a i64) b)"},
    {"-a * b", "(* (- a) b)"},
    {"a - -b", "(- a (- b))"},
    {"--a", "(- (- a))"},
    {"-~a", "(- (~ a))"},
    {"-a ** b", "(- (** a b))"},
    {"a ** -b", "(** a (- b))"},
    {"2 ** -3 ** 2", "(** 2 (- (** 3 2)))"},
    {"a ** b ** c", "(** a (** b c))"},
    {"a ** b * c", "(* (** a b) c)"},
    {"a.b ** c[d]", "(** (. a b) (index c d))"},
    {"-a.b(c)[d]", "(- (index (call (. a b) c) d))"},
    // Comparisons.
    {"a < b", "(< a b)"},
    {"0 <= i < n", "(chain 0 <= i < n)"},
    {"a == b != c >= d", "(chain a == b != c >= d)"},
    {"(a < b) < c", "(< (< a b) c)"},
    {"a < b and b < c", "(and (< a b) (< b c))"},
    // Operands.
    {"f()", "(call f)"},
    {"f(a, b,)", "(call f a b)"},
    {"f(a, n: 2)", "(call f a n: 2)"},
    {"f(a if c else b, d)", "(call f (if c a b) d)"},
    {"a[i, j]", "(index a i j)"},
    {"a[i][j]", "(index (index a i) j)"},
    {"gpu.global_id(0)", "(call (. gpu global_id) 0)"},
    {"gpu.shared[f32](16)", "(call (index (. gpu shared) f32) 16)"},
    {"gpu.match", "(. gpu match)"},
    {"((a))", "a"},
    {"true and false", "(and true false)"},
    {"if c: a else: b", "(if c a b)"},
    {"if c: a if d else e else: b", "(if c (if d a e) b)"},
    // Literals.
    {"1_000", "1000"},
    {"0xff", "255"},
    {"0xFFu8", "255u8"},
    {"0b1010i16", "10i16"},
    {"18446744073709551615u64", "18446744073709551615u64"},
    {"7u32", "7u32"},
    {"7_u32", "7u32"},
    {"0", "0"},
    {"1.5e-3", "1.5e-3"},
    {"1_0.2_5f32", "10.25f32"},
    {"2.0f64", "2.0f64"},
    {"7f32", "7f32"},
    {"1e5", "1e5"},
    {"0x1f32", "7986"},
    {"0bf16", "0bf16"},
    {"1.x", "(. 1 x)"},
};

INSTANTIATE_TEST_SUITE_P(Parser, ExpressionTrees, testing::ValuesIn(expressionRows));

TEST(Parser, BuildsAKernel) {
  ParsedSource source(R"("""Element-wise kernels."""

#[gpu]
fn vector_add(a: &[f32], b: &[f32], out: &mut [f32]):
    """Adds."""
    # a comment
    val idx = gpu.global_id()
    if idx < out.len():
        out[idx] = a[idx] + b[idx]
)");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.dump(), R"((file
  (doc "Element-wise kernels.")
  (kernel vector_add (a &[f32]) (b &[f32]) (out &mut [f32])
    (doc "Adds.")
    (val idx (call (. gpu global_id)))
    (if
      (arm (< idx (call (. out len)))
        (= (index out idx) (+ (index a idx) (index b idx)))))))
)");
}

TEST(Parser, BuildsEveryStatement) {
  ParsedSource source(R"(fn f(n: i64, a: &mut [i64, 2]) -> i64:
    val x: i32 = 1
    var y = -x
    y += 1
    y -= 2
    y *= 3
    y /= 4
    y %= 5
    y &= 6
    y |= 7
    y ^= 8
    y <<= 9
    y >>= 10
    a[0] = 1
    f(n, a)
    if x < 1: y = 1
    elif x < 2:
        y = 2
    elif x < 3: pass
    else:
        return y
    while true:
        break
    for i in 0..n: continue
    return

fn g():
    pass
)");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.dump(), R"((file
  (fn f (n i64) (a &mut [i64, 2]) -> i64
    (val x : i32 1)
    (var y (- x))
    (+= y 1)
    (-= y 2)
    (*= y 3)
    (/= y 4)
    (%= y 5)
    (&= y 6)
    (|= y 7)
    (^= y 8)
    (<<= y 9)
    (>>= y 10)
    (= (index a 0) 1)
    (expr (call f n a))
    (if
      (arm (< x 1)
        (= y 1))
      (arm (< x 2)
        (= y 2))
      (arm (< x 3)
        (pass))
      (else
        (return y)))
    (while true
      (break))
    (for i (.. 0 n)
      (continue))
    (return))
  (fn g
    (pass)))
)");
}

TEST(Parser, IgnoresLayoutInBrackets) {
  ParsedSource source("fn f(\n        a: i32,\n  b: i32,\n):\n    g(a,\n# comment\n\n"
                      "  b if a < b\n  else a,\n)\n    return (1 +\n2)\n");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.dump(), "(file\n  (fn f (a i32) (b i32)\n"
                           "    (expr (call g a (if (< a b) b a)))\n    (return (+ 1 2))))\n");
}

TEST(Parser, AcceptsCrLfByteOrderMarkAndNoFinalNewline) {
  ParsedSource source(
      "\xEF\xBB\xBF#[gpu]\r\nfn f():\r\n    \r\n    # c\r\n    pass\r\n\r\n    return");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.dump(), "(file\n  (kernel f\n    (pass)\n    (return)))\n");
}

TEST(Parser, TakesAnAttributeBesideItsFunction) {
  ParsedSource source("#[gpu] fn f(): pass\n");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.dump(), "(file\n  (kernel f\n    (pass)))\n");
}

TEST(Parser, TakesAFunctionOfOneDocstring) {
  ParsedSource source("fn f():\n    \"\"\"\n    Two\n    lines.\n    \"\"\"\nfn g(): pass\n");
  EXPECT_EQ(source.messages(), "");
  EXPECT_EQ(source.file->functions[0]->doc, "Two\n    lines.");
  EXPECT_EQ(source.file->functions.size(), 2u);
}

TEST(Parser, MarksRangesOfExpressions) {
  ParsedSource source("fn f():\n    return (a + b) * c[1]\n");
  using namespace spl::syntax;
  const Expr *value = llvm::cast<ReturnStmt>(source.file->functions[0]->body[0])->value;
  const auto *product = llvm::cast<BinaryExpr>(value);
  EXPECT_EQ(product->range.text(), "(a + b) * c[1]");
  EXPECT_EQ(product->opRange.text(), "*");
  EXPECT_EQ(product->lhs->range.text(), "(a + b)");
  EXPECT_EQ(product->rhs->range.text(), "c[1]");
  EXPECT_EQ(source.file->functions[0]->range.text(), "fn f()");
}

TEST(Parser, KeepsNamesOfWhatItSkips) {
  ParsedSource source(
      "struct Point:\n    x f32\n    fn g(self): pass\nuse helpers.{clamp01, Vec, 3}\n"
      "const N: i64 4\nenum E:\n    1\n    A\nfn id[T: ](x: T) -> T: return x\nfn f(): pass\n");
  EXPECT_EQ(source.messages(), "2:7 expected-token\n4:28 expected-name\n5:14 expected-token\n"
                               "7:5 expected-name\n9:10 expected-name\n");
  std::vector<llvm::StringRef> expected{"helpers", "clamp01", "Vec", "N"};
  EXPECT_EQ(source.file->skippedNames.vec(), expected);
  EXPECT_EQ(source.dump(), "(file\n  (struct Point broken\n    (fn g self\n      (pass)))\n"
                           "  (enum E broken\n    (member A))\n"
                           "  (fn id broken)\n  (fn f\n    (pass)))\n");
}

} // namespace
