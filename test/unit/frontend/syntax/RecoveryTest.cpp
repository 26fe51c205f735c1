// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests error recovery: each invalid text causes exactly the listed messages. A valid function
// follows each text, and must be in the tree.

#include "ParsedSource.h"
#include <gtest/gtest.h>

using spl::test::ParsedSource;

namespace {

struct Row {
  const char *text;
  const char *messages;
};

void expectRow(const std::string &text, const char *messages) {
  ParsedSource source(text);
  EXPECT_EQ(source.messages(), messages) << text << "\n" << source.printed() << source.dump();
  ASSERT_FALSE(source.file->functions.empty()) << text;
  EXPECT_EQ(source.file->functions.back()->name.name, "last") << text << source.dump();
}

class StatementErrors : public testing::TestWithParam<Row> {};

/// The text starts on line 2, inside a function. A valid statement follows it.
TEST_P(StatementErrors, AreReportedOnce) {
  std::string body;
  for (llvm::StringRef rest = GetParam().text; !rest.empty();) {
    auto [line, others] = rest.split('\n');
    body += ("    " + line + "\n").str();
    rest = others;
  }
  expectRow("fn f(a: &mut [i32], n: i64):\n" + body + "    n = 1\nfn last(): pass\n",
            GetParam().messages);
}

const Row statementRows[] = {
    // Expressions.
    {"val x =", "2:12 expected-expression\n"},
    {"val x = 1 +", "2:16 expected-expression\n"},
    {"val x = * 2", "2:13 expected-expression\n"},
    {"val x = (1 + 2", "2:13 unclosed-bracket\n"},
    {"val x = f(1, 2", "2:14 unclosed-bracket\n"},
    {"val x = f(1,\n    2\n    n)", "3:10 expected-token\n"},
    {"val x = f(g(1, 2", "2:16 unclosed-bracket\n"},
    {"val x = a[1\nval y = 2", "2:14 unclosed-bracket\n"},
    {"val x = f(1, 2]", "2:19 mismatched-bracket\n"},
    {"val x = a[1)\nval y = 2", "2:16 mismatched-bracket\n"},
    {"val x = 1)", "2:14 unmatched-bracket\n"},
    {"val x = ()", "2:14 expected-expression\n"},
    {"val x = a[]", "2:15 expected-expression\n"},
    {"val x = f(,)", "2:15 expected-expression\n"},
    {"val x = f(1 2)", "2:17 expected-token\n"},
    {"val x = f(a = 1)", "2:17 named-argument-equals\n"},
    {"val x = (n = 1)", "2:16 assignment-in-expression\n"},
    {"val x = a.", "2:15 expected-name\n"},
    {"val x = a.*", "2:15 expected-name\n"},
    {"val x = 1 if n", "2:19 expected-token\n"},
    {"val x = if n: 1", "2:20 expected-token\n"},
    {"val x = n + not n", "2:17 expected-expression\n"},
    {"val x = +1", "2:13 foreign-form\n"},
    {"val x = \"text\"", "2:13 expected-expression\n"},
    {"val x = \"text", "2:13 unterminated-string\n"},
    {"val x = n as", "2:17 expected-type\n"},
    {"val x = n as *f32", "2:18 expected-type\n"},
    {"val x = n as &3", "2:19 expected-token\n"},
    {"val x = n as &[f32, 9]", "2:25 invalid-rank\n"},
    {"val x = n ? 1 : 2", "2:15 foreign-form\n"},
    {"val x = n && n || !n", "2:15 foreign-form\n2:20 foreign-form\n2:23 foreign-form\n"},
    {"val x = True", "2:13 foreign-word\n"},
    {"val x = n // 2", "2:15 foreign-form\n"},
    {"/* comment */", "2:5 foreign-form\n"},
    {"// comment", "2:5 foreign-form\n"},
    {"val x = while", "2:13 expected-expression\n"},
    // Literals. The parser continues with the rest of the line.
    {"val x = 0x + 1", "2:13 invalid-number\n"},
    {"val x = 1__0 + 0b12", "2:13 invalid-number\n2:20 invalid-number\n"},
    {"val x = f(12abc, 7q8)", "2:17 unknown-suffix\n2:23 unknown-suffix\n"},
    {"n = 99999999999999999999", "2:9 literal-too-large\n"},
    {"val x = $", "2:13 unexpected-character\n"},
    {"val na\xC3\xAFve = 1", "2:11 unexpected-character\n"},
    {"val x = 'a'", "2:13 unexpected-character\n"},
    {"val x = 1 \\", "2:15 unexpected-character\n"},
    // Declarations and assignments.
    {"val = 1", "2:9 expected-name\n"},
    {"val 3x = 1", "2:10 unknown-suffix\n"},
    {"val while = 1", "2:9 reserved-name\n"},
    {"val f32 = 1", "2:9 reserved-name\n"},
    {"val u8x4 = 1", "2:9 reserved-name\n"},
    {"val x", "2:9 missing-initialiser\n"},
    {"val x: i32", "2:9 missing-initialiser\n"},
    {"val x == 1", "2:11 expected-token\n"},
    {"val x: = 1", "2:12 expected-type\n"},
    {"val x = 1 2", "2:15 expected-end-of-line\n"},
    {"val x = n = 1", "2:15 assignment-in-expression\n"},
    {"n = ", "2:8 expected-expression\n"},
    {"n =+ 1", "2:8 foreign-form\n"},
    {"n ** = 2", "2:10 assignment-in-expression\n"},
    {"n++", "2:6 foreign-form\n"},
    {"n--", "2:6 foreign-form\n"},
    {"n = 1;", "2:10 unexpected-semicolon\n"},
    {"n = 1; n = 2; n = 3;", "2:10 unexpected-semicolon\n"},
    {"i32 x = 1", "2:5 foreign-form\n"},
    {"let x = 1", "2:5 foreign-word\n"},
    {"let mut x = 1", "2:5 foreign-word\n"},
    {"val mut x = 1", "2:5 foreign-word\n"},
    {"return return", "2:12 expected-expression\n"},
    {"break 1", "2:11 expected-end-of-line\n"},
    {"pass pass", "2:10 expected-end-of-line\n"},
    {"= 1", "2:5 assignment-in-expression\n"},
    {", 1", "2:5 expected-statement\n"},
    {")", "2:5 unmatched-bracket\n"},
    {"{ n = 1 }", "2:5 brace-block\n"},
    {"@gpu", "2:5 foreign-form\n"},
    // Blocks.
    {"if n\n    n = 2", "2:9 missing-colon\n"},
    {"if n n = 2", "2:10 missing-colon\n"},
    {"if n = 1:\n    n = 2", "2:10 assignment-in-expression\n"},
    {"if n {\n    n = 2\n}", "2:10 brace-block\n"},
    {"if (n) {\n    val x = 2\n} else {\n    n = 3\n}", "2:12 brace-block\n"},
    {"if n:", "2:5 expected-block\n"},
    {"if n:\nn = 2", "2:5 expected-block\n"},
    {"if :\n    n = 2", "2:8 expected-expression\n"},
    {"if n: if n: n = 2", "2:11 expected-simple-statement\n"},
    {"if n: while n:\n        n = 2", "2:11 expected-simple-statement\n"},
    {"if n: n = 2\n    n = 3", "3:9 unexpected-indent\n"},
    {"else:\n    n = 2", "2:5 else-without-if\n"},
    {"elif n:\n    n = 2", "2:5 else-without-if\n"},
    {"if n:\n    pass\nelse if n:\n    pass\nelse:\n    pass", "4:5 foreign-word\n"},
    {"if n:\n    pass\nelseif n:\n    pass\nelse:\n    pass", "4:5 foreign-word\n"},
    {"if n:\n    pass\nelse n:\n    pass", "4:10 missing-colon\n"},
    {"if n:\n    pass\nelse:\n    pass\nelse:\n    pass", "6:5 else-without-if\n"},
    {"while n\n    n = 2", "2:12 missing-colon\n"},
    {"while:\n    n = 2", "2:10 expected-expression\n"},
    {"for i in 0..n\n    n = i", "2:18 missing-colon\n"},
    {"for in 0..n:\n    n = 2", "2:9 reserved-name\n"},
    {"for i 0..n:\n    n = i", "2:11 expected-token\n"},
    {"for i in 0..:\n    n = i", "2:17 expected-expression\n"},
    {"self.x = 1", "2:5 invalid-self\n"},
    {"for i in range(n):\n    n = i", "2:14 foreign-word\n"},
    {"for (i in 0..n):\n    n = i", "2:9 foreign-form\n"},
    {"for (i32 i = 0; i < n; i++) {\n    n = i\n}", "2:9 foreign-form\n"},
    {"    n = 2", "3:1 inconsistent-dedent\n"},
    {"n = 2\n    n = 3\n      n = 4\n    n = 5", "3:9 unexpected-indent\n4:11 unexpected-indent\n"},
    {"if n:\n    pass\n  n = 2\n  n = 3", "4:1 inconsistent-dedent\n"},
    {"if n:\n\tn = 2\n\tn = 3", "3:5 tab-in-indentation\n"},
    {"junk junk:\n    pass\n    if n:\n        pass", "2:10 expected-end-of-line\n"},
    {"\"\"\"doc\"\"\"\n\"\"\"doc\"\"\"", "3:5 misplaced-docstring\n"},
    {"n = \"\"\"doc\"\"\"", "2:9 misplaced-docstring\n"},
    {"fn g():\n    pass", "2:5 misplaced-item\n"},
    {"def g():\n    pass", "2:5 misplaced-item\n"},
    {"#[gpu]\nn = 2", "2:5 misplaced-item\n"},
    {"const N: i64 = 1", "2:5 misplaced-item\n"},
    // Several errors in one function.
    {"val = 1\nn = \nif n\n    n = $\nn = 2",
     "2:9 expected-name\n3:8 expected-expression\n4:9 missing-colon\n5:13 unexpected-character\n"},
};

INSTANTIATE_TEST_SUITE_P(Recovery, StatementErrors, testing::ValuesIn(statementRows));

class ItemErrors : public testing::TestWithParam<Row> {};

/// A valid function follows the text.
TEST_P(ItemErrors, AreReportedOnce) {
  expectRow(std::string(GetParam().text) + "\nfn last(): pass\n", GetParam().messages);
}

const Row itemRows[] = {
    {"val x = 1\nval y = 2\nif x:\n    y = 3", "1:1 expected-item\n"},
    {"print x", "1:1 expected-item\n"},
    {"x + $ $ $\n? ? ?", "1:1 expected-item\n"},
    {")", "1:1 unmatched-bracket\n"},
    {"fn", "1:3 expected-name\n"},
    {"fn ()", "1:4 expected-name\n"},
    {"fn (a: i32):\n    pass", "1:4 expected-name\n"},
    {"fn while():\n    pass", "1:4 reserved-name\n"},
    {"fn f", "1:5 expected-token\n"},
    {"fn f:\n    pass", "1:5 expected-token\n"},
    {"fn f(", "1:5 unclosed-bracket\n"},
    {"fn f(a: i32, b: f32:\n    return a\nfn g(): pass", "1:5 unclosed-bracket\n"},
    {"fn f(a: i32 b: f32):\n    pass", "1:13 expected-token\n"},
    {"fn f(a):\n    pass", "1:6 missing-parameter-type\n"},
    {"fn f(f32 a):\n    pass", "1:6 parameter-form\n"},
    {"fn f(a: ):\n    pass", "1:9 expected-type\n"},
    {"fn f(a: &[f32):\n    pass", "1:10 unclosed-bracket\n"},
    {"fn f(a: f32[]):\n    pass", "1:12 expected-end-of-type\n"},
    {"fn f(1):\n    pass", "1:6 expected-name\n"},
    {"fn f()\n    pass", "1:7 missing-colon\n"},
    {"fn f() {\n    val x = 1\n    return\n}", "1:8 brace-block\n"},
    {"fn f() ->:\n    pass", "1:10 expected-type\n"},
    {"fn f() = 1", "1:8 assignment-in-expression\n"},
    {"fn f():", "1:1 expected-block\n"},
    {"fn f():\n# only a comment\n", "1:1 expected-block\n"},
    {"def f():\n    pass", "1:1 foreign-word\n"},
    {"void f() {\n}", "1:1 foreign-word\n1:10 brace-block\n"},
    {"import helpers.clamp", "1:1 foreign-form\n"},
    {"    fn f():\n        pass", "1:5 unexpected-indent\n"},
    {"fn f(): pass\n    fn g(): pass", "2:5 unexpected-indent\n"},
    {"#[gpu\nfn f(): pass", "1:2 unclosed-bracket\n"},
    {"#[cpu]\nfn f(): pass", "1:3 unknown-attribute\n"},
    {"#[]\nfn f(): pass", "1:3 expected-name\n"},
    {"#[gpu]\n#[gpu]\nfn f(): pass", "2:3 duplicate-attribute\n"},
    {"#[gpu]\nval x = 1", "2:1 expected-item\n"},
    {"#[gpu]\nstruct S:\n    x: i32", "1:1 misplaced-attribute\n"},
    {"@gpu\nfn f(): pass", "1:1 foreign-form\n"},
    {"fn f(): pass\n\"\"\"late\"\"\"", "2:1 misplaced-docstring\n"},
    {"\"\"\"doc\"\"\" 1\nfn f(): pass", "1:11 expected-end-of-line\n"},
    {"fn f():\n\tpass\n\tpass\nfn g():\n\tpass", "2:1 tab-in-indentation\n"},
};

INSTANTIATE_TEST_SUITE_P(Recovery, ItemErrors, testing::ValuesIn(itemRows));

class Constructs : public testing::TestWithParam<const char *> {};

/// Valid constructs inside or outside a function. The code after them must be parsed too.
TEST_P(Constructs, AreParsedToTheirEnd) {
  llvm::StringRef text = GetParam();
  std::string program =
      text.starts_with("    ") ? ("fn f(a: &[f32], n: i64):\n" + text).str() : text.str();
  ParsedSource source(program + "\nfn last(): pass\n");
  EXPECT_EQ(source.messages(), "") << program << source.printed();
  EXPECT_EQ(source.dump().find("(error)"), std::string::npos) << program << source.dump();
  EXPECT_EQ(source.file->functions.back()->name.name, "last") << program;
}

const char *const constructs[] = {
    "struct P:\n    x: f32\n    mass: f32 = 1.0\n    fn w(self, g: f32) -> f32:\n        return "
    "1.0",
    "enum Level:\n    Low\n    High = 10",
    "const TILE: i64 = 16",
    "const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25]",
    "use helpers.{clamp01, Vec}",
    "fn axpy[T: Num](alpha: T, x: T, y: T = 0) -> T:\n    return alpha * x + y",
    "fn f(a: i32 = 1):\n    pass",
    "fn f(a: [f32; 4]):\n    pass",
    "fn f(a: &[[f32; 4]]):\n    pass",
    "fn f(a: f32x4):\n    pass",
    "fn f() -> (i32, i32):\n    pass",
    "fn f(#[alias] a: &[f32]):\n    pass",
    "#[gpu(block: [256], min_blocks: 2)]\nfn f(): pass",
    "#[inline]\nfn f(): pass",
    "#[noinline]\nfn f(): pass",
    "#[fast_math]\nfn f(): pass",
    "#[unchecked]\nfn f(): pass",
    "    match n:\n        case 1:\n            pass\n        case -2 | 3: pass\n        case _:\n"
    "            return",
    "    print \"x = {n}, y = {n:.3}, {{braces}}\"",
    "    assert n < 3, \"n = {n}\"",
    "    val (q, r) = f(a, n)",
    "    val t = (n, n)",
    "    val t = [1, 2, 3]",
    "    val s = a[1..n]",
    "    val s = a[1..]",
    "    val s = a[..n]",
    "    val s = a[..]",
    "    for i in 0..=n:\n        pass",
    "    for i in 0..n step 2:\n        pass",
    "    for i in 0..n unroll:\n        pass",
    "    for i in 0..n unroll(4):\n        pass",
    "    for x in a:\n        pass",
    "    for i in gpu.grid_stride(n):\n        pass",
    "    val v = f32x4(1.0, 2.0, 3.0, 4.0)",
    "    gpu.atomic_add(&mut a[n], 1)",
    "    val x = gpu.atomic_load(&a[n])",
};

INSTANTIATE_TEST_SUITE_P(Recovery, Constructs, testing::ValuesIn(constructs));

TEST(Recovery, KeepsAFunctionWhoseHeaderIsBroken) {
  ParsedSource source("fn f(a: i32, b c):\n    val x = 1\n    x +\nfn g(): pass\n");
  EXPECT_EQ(source.messages(), "1:14 parameter-form\n3:8 expected-expression\n");
  EXPECT_EQ(source.dump(), "(file\n  (fn f broken (a i32)\n    (val x 1)\n"
                           "    (expr (+ x (error))))\n  (fn g\n    (pass)))\n");
}

TEST(Recovery, DeclaresWhatItCan) {
  ParsedSource source("fn f():\n    val x = 1 +\n    val y\n    for i in 0..=:\n        y = i\n");
  EXPECT_EQ(source.dump(), "(file\n  (fn f\n    (val x (+ 1 (error)))\n    (val y (error))\n"
                           "    (for i (..= (error) (error))\n      (= y i))))\n");
}

} // namespace
