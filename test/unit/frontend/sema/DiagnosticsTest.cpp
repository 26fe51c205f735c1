// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the diagnostics of invalid programs: names, locations, order and hints.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

namespace {

struct Case {
  const char *source;
  const char *messages;       ///< "line:column name, ..."
  const char *text = nullptr; ///< of the first message, with its fix
};

void expectMessages(std::initializer_list<Case> cases) {
  for (const Case &test : cases) {
    CheckedSource checked(test.source);
    EXPECT_EQ(checked.messages(), test.messages) << test.source;
    EXPECT_EQ(checked.program == nullptr, checked.diagnostics.hasErrors()) << test.source;
    if (test.text)
      EXPECT_EQ(checked.firstText(), test.text) << test.source;
  }
}

// Each case is one statement, on line 2 of a function with these parameters.
void expectStatements(std::initializer_list<Case> cases) {
  for (const Case &test : cases) {
    std::string source =
        "fn test(b: bool, i: i32, k: i64, u: u8, w: u64, f: f32, d: f64, a: &[f32], m: &mut "
        "[f32]):\n  " +
        std::string(test.source) +
        "\nfn nothing():\n  pass\nfn two(x: i32, y: &[f32]) -> i32:\n  return x\n"
        "fn both(x: &mut [f32], y: &[f32]):\n  pass\n#[gpu]\nfn kernel():\n  pass\n";
    CheckedSource checked(source);
    EXPECT_EQ(checked.messages(), test.messages) << test.source;
    if (test.text)
      EXPECT_EQ(checked.firstText(), test.text) << test.source;
  }
}

TEST(SemaNames, unknown_ones_suggest_the_nearest) {
  expectStatements({
      {"val _x = zz", "2:12 unknown-name", "unknown name 'zz'"},
      {"val index = k\n  val _x = indx", "2:7 unused-name, 3:12 unknown-name"},
      {"val _x = kernl", "2:12 unknown-name", "unknown name 'kernl'; did you mean 'kernel'?"},
      {"val _x = two(i, a) + tow(i, a)", "2:24 unknown-function",
       "unknown function 'tow'; did you mean 'two'?"},
      {"val _x = sqrt(f)", "2:12 unknown-function",
       "unknown function 'sqrt'; write 'math.sqrt(f)'"},
      {"val _x = global_id()", "2:12 unknown-function",
       "unknown function 'global_id'; did you mean 'gpu.global_id'?"},
      {"val _x = math.sqr(f)", "2:17 unknown-member",
       "'math' has no member 'sqr'; did you mean 'math.sqrt'?"},
      {"val _x = gpu.globl_id()", "2:16 unknown-member",
       "'gpu' has no member 'globl_id'; did you mean 'gpu.global_id'?"},
      {"val _x = math.pi", "2:17 unknown-member",
       "'math' has no member 'pi'; did you mean 'math.PI'?"},
      {"val _x: int32 = 1", "2:11 unknown-type", "unknown type 'int32'; write 'i32'"},
      {"val _x: &[flot] = a", "2:13 unknown-type"},
      {"val _x = a.size()", "2:14 unknown-member", "'a' has no member 'size'; write 'a.len()'"},
      {"val _x = f.len()", "2:14 unknown-member", "'f' has no member 'len', as its type is f32"},
      {"val _x = a.shape", "2:14 unknown-member"},
      {"x = 1", "2:3 unknown-name"},
      {"val _x = unknown + other(third)",
       "2:12 unknown-name, 2:22 unknown-function, 2:28 unknown-name"},
  });
}

TEST(SemaNames, declared_twice) {
  expectMessages({
      {"fn f():\n  pass\nfn f():\n  pass\n", "3:4 duplicate-name"},
      {"fn f(x: i32, x: f32) -> i32:\n  return x\n", "1:14 duplicate-name"},
      {"fn f(x: i32) -> i32:\n  val x = x\n  val x = 1.0\n  return x\n", "3:7 duplicate-name",
       "'x' is declared twice in this block"},
      {"fn f(x: i32) -> i32:\n  for x in 0..x:\n    val x = x\n    return x\n  return 1\n", ""},
      {"fn gpu():\n  pass\n", "1:4 reserved-name"},
      {"fn f(math: i32) -> i32:\n  return 1\n", "1:6 reserved-name"},
      {"fn f():\n  val gpu = 1\n  val _x = gpu + 1\n", "2:7 reserved-name",
       "'gpu' is the name of a module and cannot be declared"},
  });
}

TEST(SemaNames, unused_ones_are_warned_of) {
  expectStatements({
      {"val x = 1", "2:7 unused-name", "'x' is never read; remove it, or begin its name with '_'"},
      {"var x = 1\n  x = 2\n  x += 1", "2:7 unused-name"},
      {"val _x = 1", ""},
      {"for x in 0..10:\n    pass", "2:7 unused-name"},
      {"for _ in 0..10:\n    pass", ""},
      {"val s = m\n  s[0] = 1.0", ""},
      {"val x = i\n  val x = k\n  val _y = x", "3:7 duplicate-name"},
  });
}

TEST(SemaNames, that_are_no_values) {
  expectStatements({
      {"val _x = two", "2:12 not-a-value",
       "'two' is a function, not a value; call it as 'two(...)'"},
      {"val _x = gpu", "2:12 not-a-value"},
      {"val _x = gpu.global_id", "2:12 not-a-value",
       "'gpu.global_id' is a function, not a value; call it as 'gpu.global_id(0)'"},
      {"val _x = a.len", "2:12 not-a-value",
       "'len' is a function, not a value; call it as 'a.len()'"},
      {"val _x = nothing()", "2:12 no-value",
       "'nothing' returns nothing, so its call has no value"},
      {"val _x = i + nothing()", "2:16 no-value"},
      {"val _x = two(nothing(), a)", "2:16 no-value"},
      {"nothing()", ""},
  });
}

TEST(SemaTypes, of_a_value_and_its_place_must_agree) {
  expectStatements({
      {"val _x: i32 = k", "2:17 type-mismatch",
       "expected i32, but 'k' is i64; write 'k as i32' fix: k as i32"},
      {"val _x: i32 = k + 1", "2:17 type-mismatch",
       "expected i32, but 'k + 1' is i64; write '(k + 1) as i32' fix: (k + 1) as i32"},
      {"val _x: i32 = 1.5", "2:17 type-mismatch",
       "expected i32, but '1.5' is f32; write '1.5 as i32' fix: 1.5 as i32"},
      {"val _x: i32 = 1 + 2.5", "2:17 type-mismatch"},
      {"val _x: bool = i", "2:18 type-mismatch",
       "expected bool, but 'i' is i32; write 'i != 0' fix: i != 0"},
      {"val _x: bool = 1", "2:18 type-mismatch"},
      {"val _x: &mut [f32] = a", "2:24 type-mismatch", "expected &mut [f32], but 'a' is &[f32]"},
      {"val _x: &[f64] = m", "2:20 type-mismatch"},
      {"m[0] = d", "2:10 type-mismatch"},
      {"val _x = two(k, a)", "2:16 type-mismatch"},
      {"val _x = two(i, f)", "2:19 type-mismatch"},
      {"var x = 1\n  x = f\n  val _y = x", "3:7 type-mismatch"},
      {"var x: i8 = b\n  x = u\n  val _y = x + 1.5",
       "2:15 type-mismatch, 3:7 type-mismatch, 4:12 operand-mismatch"},
      {"val x = unknown\n  val _y: bool = x + 1", "2:11 unknown-name"},
  });
  expectMessages({
      {"fn f(x: f32) -> i32:\n  return x\n", "2:10 type-mismatch"},
      {"fn f(x: f32):\n  return x\n", "2:10 unexpected-value",
       "'f' declares no result, so 'return' cannot have a value; to return this value, declare '-> "
       "f32'"},
      {"fn f() -> i32:\n  return\n", "2:3 missing-value",
       "'f' must return i32; write the value after 'return'"},
  });
}

TEST(SemaTypes, of_operands_must_agree) {
  expectStatements({
      {"val _x = k < i", ""},
      {"val _x = i < w", "2:12 operand-mismatch",
       "mismatched types: 'i' is i32 and 'w' is u64; write 'i as u64' fix: i as u64"},
      {"val _x = i + u * f", "2:16 operand-mismatch"},
      {"val _x = i * 1.5", "2:12 operand-mismatch",
       "mismatched types: 'i' is i32 and '1.5' is f32; write 'i as f32' fix: i as f32"},
      {"val _x = (i + 1) * f", "2:12 operand-mismatch",
       "mismatched types: '(i + 1)' is i32 and 'f' is f32; write '(i + 1) as f32' fix: (i + 1) as "
       "f32"},
      {"val _x = f ** d", "2:12 operand-mismatch",
       "mismatched types: 'f' is f32 and 'd' is f64; write '(f as f64)' fix: (f as f64)"},
      {"val _x = 0 <= i < w", "2:17 operand-mismatch"},
      {"val _x = i if b else w", "2:12 operand-mismatch"},
      {"val _x = math.min(i, w)", "2:21 operand-mismatch"},
      {"var x = i\n  x += k", "2:7 unused-name, 3:8 operand-mismatch",
       "mismatched types: 'x' is i32 and 'k' is i64; write 'k as i32' fix: k as i32"},
      {"val _x = i << u", ""},
      {"val _x = i << f", "2:17 operator-type"},
      {"val _x = f << i", "2:12 operator-type",
       "'<<' does not work on f32; it works only on integers"},
      {"val _x = b + b", "2:12 operator-type"},
      {"val _x = b < b", "2:12 operator-type"},
      {"val _x = b == b", ""},
      {"val _x = f & f", "2:12 operator-type"},
      {"val _x = a == a", "2:12 operator-type",
       "'==' does not work on &[f32]; use an element, as in 'a[i]'"},
      {"val _x = a + 1", "2:12 operator-type"},
      {"val _x = ~f", "2:12 operator-type"},
      {"val _x = ~b", "2:12 operator-type", "'~' does not work on bool; write 'not'"},
      {"val _x = -b", "2:12 operator-type"},
      {"for _x in f..1.0:\n    pass", "2:13 range-not-integer"},
      {"for _x in i..w:\n    pass", "2:13 operand-mismatch"},
      {"val _x = i / 0", "2:16 division-by-zero"},
      {"val _x = f / 0", ""},
      {"var _x = i\n  _x %= 0", "3:9 division-by-zero"},
  });
}

TEST(SemaTypes, of_conditions_are_bool) {
  expectStatements({
      {"if i:\n    pass", "2:6 condition-not-bool",
       "a condition must be bool, but 'i' is i32; write 'i != 0' fix: i != 0"},
      {"while i & 1:\n    pass", "2:9 condition-not-bool",
       "a condition must be bool, but 'i & 1' is i32; write '(i & 1) != 0' fix: (i & 1) != 0"},
      {"val _x = 1 if k else 2", "2:17 condition-not-bool"},
      {"val _x = b and i", "2:18 condition-not-bool",
       "an operand of 'and' must be bool, but 'i' is i32; write 'i != 0' fix: i != 0"},
      {"val _x = not f", "2:16 condition-not-bool"},
      {"if a:\n    pass", "2:6 condition-not-bool",
       "a condition must be bool, but 'a' is &[f32]; write 'a.len() != 0' fix: a.len() != 0"},
      {"if b and unknown:\n    pass\n  elif i:\n    pass",
       "2:12 unknown-name, 4:8 condition-not-bool"},
  });
}

TEST(SemaTypes, that_cannot_be_cast) {
  expectStatements({
      {"val _x = i as bool", "2:12 cast-to-bool",
       "cannot cast a number to bool; write 'i != 0' fix: i != 0"},
      {"val _x = 1 as bool", "2:12 cast-to-bool"},
      {"val _x = a as i32", "2:12 cast-impossible", "cannot cast 'a' from &[f32] to i32"},
      {"val _x = unknown as i32", "2:12 unknown-name"},
  });
}

TEST(SemaLiterals, that_do_not_fit) {
  expectStatements({
      {"val _x: u8 = 256", "2:16 literal-out-of-range",
       "'256' does not fit in u8, which holds 0 to 255"},
      {"val _x = -129i8", "2:12 literal-out-of-range",
       "'-129i8' does not fit in i8, which holds -128 to 127"},
      {"val _x = 128i8", "2:12 literal-out-of-range"},
      {"val _x: u32 = -1", "2:17 literal-out-of-range"},
      {"val _x = 9223372036854775808", "2:12 literal-out-of-range"},
      {"val _x = u + 300", "2:16 literal-out-of-range"},
      {"val _x: f32 = 1e39", "2:17 literal-out-of-range",
       "'1e39' does not fit in f32, which holds numbers up to 3.4028235E+38"},
      {"val _x: f64 = 1e39", ""},
      {"val _x: f64 = -1e309", "2:17 literal-out-of-range"},
      {"val _x = 300 + 1u8", "2:12 literal-out-of-range"},
  });
}

TEST(SemaPlaces, that_cannot_be_assigned) {
  expectStatements({
      {"val x = 1\n  x = 2", "3:3 immutable-assignment",
       "'x' is a val and cannot be assigned; declare it with 'var'"},
      {"i += 1", "2:3 immutable-assignment",
       "'i' is a parameter and cannot be assigned; write 'var i = i' before and assign to that"},
      {"for x in 0..10:\n    x = 1", "3:5 immutable-assignment"},
      {"a[0] = 1.0", "2:3 read-only-slice",
       "'a' is read-only; declare it '&mut [f32]' to write its elements"},
      {"a[0] += f", "2:3 read-only-slice"},
      {"f[0] = 1.0", "2:3 not-indexable", "'f' is f32 and cannot be indexed"},
      {"math.PI = 3.0", "2:3 not-assignable"},
      {"val _x = a[f]", "2:14 index-not-integer",
       "an index must be an integer, but 'f' is f32; write 'f as i64'"},
      {"val _x = a[b]", "2:14 index-not-integer"},
      {"val _x = a[i, k]", "2:12 index-count",
       "'a' expects 1 index, found 2; a slice of 2 axes is &[f32, 2]"},
      {"val _x = i[0] + 1", "2:12 not-indexable"},
  });
}

TEST(SemaCalls, that_are_wrong) {
  expectStatements({
      {"val _x = two(i)", "2:12 argument-count",
       "'two' expects 2 arguments, found 1; 'y' is missing"},
      {"nothing(1)", "2:3 argument-count", "'nothing' expects 0 arguments, found 1"},
      {"val _x = math.sqrt()", "2:12 argument-count"},
      {"val _x = gpu.global_id(0, 1)", "2:12 argument-count",
       "'gpu.global_id' expects at most 1 argument, found 2"},
      {"val _x = a.len(0)", "2:12 argument-count"},
      {"val _x = a.dim()", "2:12 argument-count"},
      {"val _x = gpu.global_id(3)", "2:26 bad-axis", "the axis must be a constant 0, 1 or 2"},
      {"val _x = gpu.global_id(i)", "2:26 bad-axis"},
      {"val _x = gpu.global_id(unknown)", "2:26 unknown-name"},
      {"val _x = a.dim(1)", "2:18 bad-axis", "the axis must be 0: 'a' has one axis"},
      {"val _x = math.sqrt(i)", "2:22 argument-class",
       "'math.sqrt' expects floats, but 'i' is i32; write 'i as f32'"},
      {"val _x = math.abs(b)", "2:21 argument-class"},
      {"val _x = math.min(a, a)", "2:21 argument-class",
       "'math.min' expects numbers, but 'a' is &[f32]"},
      {"kernel()", "2:3 kernel-called"},
      {"i()", "2:3 not-callable", "'i' is i32 and cannot be called"},
      {"val _x = f32(i)", "2:12 not-callable",
       "'f32' is a type and cannot be called; to convert a value, write 'i as f32'"},
      {"gpu()", "2:3 not-callable"},
      {"math.PI()", "2:3 not-callable"},
      {"a[0]()", "2:3 not-callable"},
      {"both(m, a)", ""},
      {"both(m, m)", "2:11 overlapping-arguments",
       "'m' is given twice, and 'both' may write through one of them; arguments may overlap only "
       "if all are read-only or a parameter is marked '#[alias]'"},
      {"val s = m\n  both(s, m)", "3:11 overlapping-arguments"},
      {"both(y: a, x: m)", ""},
      {"val _x = two(i, m)", ""},
  });
}

TEST(SemaCalls, that_recur_name_the_cycle) {
  expectMessages({
      {"fn a() -> i32:\n  return a()\n", "1:4 recursion",
       "'a' calls itself, but recursion is not supported: a -> a"},
      {"fn a():\n  b()\nfn b():\n  c()\nfn c():\n  a()\n  d()\nfn d():\n  d()\n",
       "1:4 recursion, 8:4 recursion",
       "'a' calls itself, but recursion is not supported: a -> b -> c -> a"},
      {"fn a():\n  b()\n  c()\nfn b():\n  c()\nfn c():\n  pass\n", ""},
  });
  CheckedSource checked("fn a():\n  b()\nfn b():\n  a()\n");
  ASSERT_EQ(checked.diagnostics.all().size(), 1u);
  ASSERT_EQ(checked.diagnostics.all()[0].notes.size(), 2u);
  EXPECT_EQ(checked.diagnostics.all()[0].notes[1].text, "'b' calls 'a' here");
}

TEST(SemaFlow, must_return_and_reach) {
  expectMessages({
      {"fn f(b: bool) -> i32:\n  if b:\n    return 1\n", "1:4 missing-return",
       "'f' can reach its end without returning i32"},
      {"fn f(b: bool) -> i32:\n  if b:\n    return 1\n  else:\n    return 2\n", ""},
      {"fn f(b: bool) -> i32:\n  while b:\n    return 1\n", "1:4 missing-return"},
      {"fn f() -> i32:\n  while true:\n    pass\n", ""},
      {"fn f(b: bool) -> i32:\n  while true:\n    if b:\n      break\n", "1:4 missing-return"},
      {"fn f() -> i32:\n  for _ in 0..10:\n    return 1\n", "1:4 missing-return"},
      {"fn f() -> i32:\n  return 1\n  return 2\n  return 3\n", "3:3 unreachable-code"},
      {"fn f():\n  while true:\n    break\n    pass\n  f2()\nfn f2():\n  pass\n",
       "4:5 unreachable-code"},
      {"fn f():\n  break\n", "2:3 outside-loop", "'break' can only be used inside a loop"},
      {"fn f(b: bool):\n  if b:\n    continue\n", "3:5 outside-loop"},
      {"fn f():\n  1 + 2\n", "2:3 unused-value"},
      {"fn f(x: f32):\n  x == 1\n", "2:3 unused-value"},
      {"fn f() -> i32:\n  return 1\nfn g():\n  f()\n", ""},
      {"#[gpu]\nfn k() -> i32:\n  return 1\n", "2:11 kernel-result"},
      {"#[gpu]\nfn k():\n  return 1\n", "3:10 kernel-result"},
  });
}

TEST(SemaLater, names_and_types_of_later_versions_say_so) {
  expectStatements({
      {"val _x: &[&[f32]] = a", "2:13 slice-element"},
      {"gpu.copy_commit()", "2:3 not-yet-supported",
       "'gpu.copy_commit' is part of the language but is not implemented yet"},
      {"val _x = math.bitcast(f)", "2:12 type-in-brackets"},
  });
}

TEST(SemaRecovery, one_mistake_is_one_error) {
  expectMessages({
      {"fn f(x: unknown) -> other:\n  val y = x + 1\n  return y * 2\nfn g() -> i32:\n  return f(1) "
       "+ "
       "1\n",
       "1:9 unknown-type, 1:21 unknown-type"},
      {"fn f(a: &mut [f32]):\n  idx = 1\n  a[idx] = a[idx] + 1\nfn g() -> i64:\n  return idx\n",
       "2:3 unknown-name, 5:10 unknown-name"},
      {"fn f() -> i32:\n  , val x = 1\n  return x + 1\n", "2:3 expected-statement"},
      {"fn f() -> i32:\n  val x = (1\n  return x\n", "2:11 unclosed-bracket"},
      {"fn f() -> i32:\nfn g():\n  pass\n", "1:1 expected-block"},
      {"fn f() -> i32:\n  \"\"\"Text.\"\"\"\n", "1:4 missing-return"},
      {"fn f() -> i32:\n  retrn 1\n", "2:9 expected-end-of-line"},
      {"fn f() -> i32:\n  val tile = gpu.shared[f32](16)\n  return tile[0]\n",
       "3:10 type-mismatch"},
      {"fn f[T](x: T) -> T:\n  return x + y\nfn g() -> i32:\n  return f[i32](1) + f(2 as i32)\n",
       "2:14 unknown-name"},
      {"struct P:\n  x: f33\nfn f(p: P) -> f32:\n  return p.x + P(x: 1.0).x\n", "2:6 unknown-type"},
      {"fn f(x: (i32, f33)) -> i32:\n  return x + 1\nfn g() -> i32:\n  return f(1)\n",
       "1:15 unknown-type"},
  });
}

TEST(SemaLimits, large_inputs_take_linear_time) {
  std::string functions, statements = "fn f():\n", unknown = "fn f():\n", chain;
  for (int i = 0; i != 100000; ++i) {
    std::string number = std::to_string(i);
    functions += "fn g" + number + "():\n  g" + std::to_string(i + 1) + "()\n";
    statements += "  val v" + number + " = " + number + "\n";
    unknown += "  val _v" + number + " = w" + number + "\n";
  }
  functions += "fn g100000():\n  g0()\n";
  EXPECT_EQ(CheckedSource(functions).messages(), "1:4 recursion");
  EXPECT_FALSE(CheckedSource(statements).diagnostics.hasErrors());
  EXPECT_TRUE(CheckedSource(unknown).diagnostics.hasErrors());
}

TEST(SemaLimits, deep_expressions_are_safe) {
  std::string sum = "fn f(x: f32) -> f32:\n  return 1";
  for (int i = 0; i != 990; ++i)
    sum += " + 1";
  EXPECT_EQ(CheckedSource(sum + " * x\n").messages(), "");
  EXPECT_EQ(CheckedSource(sum + "\n").messages(), "");
}

} // namespace
