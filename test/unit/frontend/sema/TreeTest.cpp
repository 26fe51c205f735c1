// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the typed tree of valid programs: types of literals, fused products, places, control flow.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

namespace {

// The parameters of every case below.
constexpr const char *parameters =
    "b: bool, i: i32, j: i32, k: i64, u: u8, w: u32, f: f32, g: f32, h: f32, d: f64, "
    "a: &[f32], m: &mut [f32], e: &mut [i32]";

/// The dump of the statements in a function with those parameters, without its first line.
std::string treeOf(const std::string &statements, spl::sema::CheckOptions options = {}) {
  CheckedSource checked("fn callee(x: f64, n: i16) -> f64:\n    return x\n"
                        "fn test(" +
                            std::string(parameters) + "):\n    " + statements + "\n",
                        options);
  for (const spl::diag::Message &message : checked.diagnostics.all())
    if (spl::diag::info(message.kind).severity == spl::diag::Severity::Error)
      return "error: " + message.text;
  std::string dump = checked.dump();
  dump = dump.substr(dump.find("fn test"));
  return dump.substr(dump.find('\n') + 1);
}

struct Case {
  const char *source;
  const char *tree;
};

/// Each source is an expression. The tree is that of `val _x = source`.
void expectValues(std::initializer_list<Case> cases) {
  for (const Case &test : cases) {
    std::string tree = treeOf("val _x = " + std::string(test.source));
    size_t value = tree.find(" = ");
    EXPECT_EQ(value == std::string::npos ? tree : tree.substr(value + 3),
              test.tree + std::string("\n"))
        << test.source;
  }
}

void expectStatements(std::initializer_list<Case> cases) {
  for (const Case &test : cases)
    EXPECT_EQ(treeOf(test.source), test.tree) << test.source;
}

TEST(SemaLiterals, take_the_type_of_the_other_operand) {
  expectValues({
      {"1", "1:i64"},
      {"1.5", "1.5:f32"},
      {"7u32", "7:u32"},
      {"2f64", "2:f64"},
      {"true", "true"},
      {"i + 1", "(+ i 1:i32):i32"},
      {"1 + i", "(+ 1:i32 i):i32"},
      {"d * 2", "(* d 2:f64):f64"},
      {"2 * f", "(* 2:f32 f):f32"},
      {"(1 + 2) * u", "(* (+ 1:u8 2:u8):u8 u):u8"},
      {"-(1) - i", "(- -1:i32 i):i32"},
      {"1 + 2.5", "(+ 1:f32 2.5:f32):f32"},
      {"1 < 2", "(< 1:i64 2:i64):bool"},
      {"i < 10", "(< i 10:i32):bool"},
      {"0.5 > d", "(> 0.5:f64 d):bool"},
      {"0 <= i < 10", "(chain <= < 0:i32 i 10:i32):bool"},
      {"0 <= 1.5 < d", "(chain <= < 0:f64 1.5:f64 d):bool"},
      {"1 if b else i", "(if b 1:i32 i):i32"},
      {"d if b else 0", "(if b d 0:f64):f64"},
      {"1 if b else 2.0", "(if b 1:f32 2:f32):f32"},
      {"(1 if b else 2) + i", "(+ (if b 1:i32 2:i32):i32 i):i32"},
      {"~0 & w", "(& (~ 0:u32):u32 w):u32"},
      {"a[0]", "(index a 0:i64):f32"},
      {"a[7u8]", "(index a 7:u8):f32"},
      {"1 << u", "(<< 1:i64 u):i64"},
      {"i << 3", "(<< i 3:i64):i32"},
      {"u >> 300", "(>> u 300:i64):u8"},
      {"callee(1, 2)", "(call callee 1:f64 2:i16):f64"},
      {"math.sqrt(2)", "(math.sqrt 2:f32):f32"},
      {"math.sqrt(2.0) * d", "(* (math.sqrt 2:f64):f64 d):f64"},
      {"math.min(0, i)", "(math.min 0:i32 i):i32"},
      {"math.max(1, 2)", "(math.max 1:i64 2:i64):i64"},
      {"math.max(1, 2) + u", "(+ (math.max 1:u8 2:u8):u8 u):u8"},
      {"math.fma(2, d, 1)", "(math.fma 2:f64 d 1:f64):f64"},
      {"math.PI * d", "(* 3.1415926535897931:f64 d):f64"},
      {"math.PI", "3.14159274:f32"},
      {"-math.INF * d", "(* -Inf:f64 d):f64"},
      {"math.NAN", "NaN:f32"},
  });
}

TEST(SemaLiterals, take_the_type_that_is_declared) {
  expectStatements({
      {"val _x: u8 = 255", "  val _x: u8 = 255:u8\n"},
      {"val _x: i8 = -128", "  val _x: i8 = -128:i8\n"},
      {"val _x: i8 = -128i8", "  val _x: i8 = -128:i8\n"},
      {"val _x: i64 = -9223372036854775808", "  val _x: i64 = -9223372036854775808:i64\n"},
      {"val _x: u64 = 18446744073709551615", "  val _x: u64 = 18446744073709551615:u64\n"},
      {"val _x: f64 = 0.1", "  val _x: f64 = 0.10000000000000001:f64\n"},
      {"val _x: f64 = 1", "  val _x: f64 = 1:f64\n"},
      {"val _x: f64 = -(1 + 2) / 3", "  val _x: f64 = (/ (- (+ 1:f64 2:f64):f64):f64 3:f64):f64\n"},
      {"val _x: u8 = 1 << i", "  val _x: u8 = (<< 1:u8 i):u8\n"},
      {"val _x: f64 = math.exp(1)", "  val _x: f64 = (math.exp 1:f64):f64\n"},
      {"val _x: i16 = 1 if b else 2", "  val _x: i16 = (if b 1:i16 2:i16):i16\n"},
      {"var x = d\n    x = 1", "  var x: f64 = d\n  x = 1:f64\n"},
      {"e[0] = 1", "  (index e 0:i64):i32 = 1:i32\n"},
      {"e[0] += 1", "  (index e 0:i64):i32 = (+ place 1:i32):i32\n"},
      {"e[0] <<= 1", "  (index e 0:i64):i32 = (<< place 1:i64):i32\n"},
      {"for x in 0..i:\n        pass", "  for x: i32 in 0:i32 .. i\n"},
      {"for x in 0..10:\n        pass", "  for x: i64 in 0:i64 .. 10:i64\n"},
      {"for x in 0u8..255:\n        pass", "  for x: u8 in 0:u8 .. 255:u8\n"},
  });
}

TEST(SemaLiterals, are_converted_as_written_under_a_cast) {
  expectValues({
      {"0.017 as f64", "0.017000000000000001:f64"},
      {"-1 as u32", "4294967295:u32"},
      {"300 as u8", "44:u8"},
      {"18446744073709551615 as i32", "-1:i32"},
      {"1.9 as i32", "1:i32"},
      {"-1.9 as i32", "-1:i32"},
      {"-0.5 as u32", "0:u32"},
      {"-7.5 as u32", "0:u32"},
      {"1e10 as i32", "2147483647:i32"},
      {"-1e30 as i64", "-9223372036854775808:i64"},
      {"9007199254740993.0 as i64", "9007199254740993:i64"},
      {"0.99999999999999999999999999999999999999999999 as i32", "0:i32"},
      {"math.NAN as i32", "0:i32"},
      {"-math.INF as i8", "-128:i8"},
      {"math.PI as f64", "3.1415926535897931:f64"},
      {"16777217 as f64", "16777217:f64"},
      {"9007199254740993 as f64", "9007199254740992:f64"},
      {"1e60 as f32", "+Inf:f32"},
      {"200u8 as i8", "(as 200:u8):i8"},
      {"-1i8 as u32", "(as -1:i8):u32"},
      {"(0.5 + 0.5) as f64", "(as (+ 0.5:f32 0.5:f32):f32):f64"},
      {"i as f32", "(as i):f32"},
      {"b as i32", "(as b):i32"},
      {"b as bool", "(as b):bool"},
  });
}

TEST(SemaFusing, happens_where_the_rule_says) {
  expectValues({
      {"f * g + h", "(fma f g h):f32"},
      {"h + f * g", "(fma addend-first f g h):f32"},
      {"f * g - h", "(fma negate-addend f g h):f32"},
      {"h - f * g", "(fma negate-product addend-first f g h):f32"},
      {"f * g + g * h", "(fma f g (* g h):f32):f32"},
      {"f * g - g * h", "(fma negate-addend f g (* g h):f32):f32"},
      {"(f * g) + h", "(fma f g h):f32"},
      {"h - (f * g)", "(fma negate-product addend-first f g h):f32"},
      {"f * g * h + f", "(fma (* f g):f32 h f):f32"},
      {"f * g + h + g * h", "(fma addend-first g h (fma f g h):f32):f32"},
      {"f + (g * h + f)", "(+ f (fma g h f):f32):f32"},
      {"-f * g + h", "(fma (- f):f32 g h):f32"},
      {"2 * f + 1", "(fma 2:f32 f 1:f32):f32"},
      {"-(f * g) + h", "(+ (- (* f g):f32):f32 h):f32"},
      {"(f * g) as f64 + d", "(+ (as (* f g):f32):f64 d):f64"},
      {"f / g + h", "(+ (/ f g):f32 h):f32"},
      {"i * j + i", "(+ (* i j):i32 i):i32"},
      {"(f * g if b else f) + h", "(+ (if b (* f g):f32 f):f32 h):f32"},
      {"math.abs(f * g) + h", "(+ (math.abs (* f g):f32):f32 h):f32"},
  });
  expectStatements({
      {"m[0] += f * g", "  (index m 0:i64):f32 = (fma addend-first f g place):f32\n"},
      {"m[0] -= f * g",
       "  (index m 0:i64):f32 = (fma negate-product addend-first f g place):f32\n"},
      {"m[0] *= f * g", "  (index m 0:i64):f32 = (* place (* f g):f32):f32\n"},
      {"val p = f * g\n    m[0] = p + h",
       "  val p: f32 = (* f g):f32\n  (index m 0:i64):f32 = (+ p h):f32\n"},
      {"e[0] += i * j", "  (index e 0:i64):i32 = (+ place (* i j):i32):i32\n"},
  });
}

TEST(SemaFusing, is_off_under_strict_fp) {
  EXPECT_EQ(treeOf("val _x = f * g + h", {.strictFp = true}),
            "  val _x: f32 = (+ (* f g):f32 h):f32\n");
  EXPECT_EQ(treeOf("m[0] -= f * g", {.strictFp = true}),
            "  (index m 0:i64):f32 = (- place (* f g):f32):f32\n");
}

TEST(SemaOperators, become_what_they_mean) {
  expectValues({
      {"f ** 2", "(math.pow f 2:f32):f32"},
      {"i ** 2", "(** i 2:i32):i32"},
      {"f % g", "(op.fmod f g):f32"},
      {"i % j", "(% i j):i32"},
      {"-w", "(- w):u32"},
      {"not b", "(not b):bool"},
      {"b and i == 0 or b", "(or (and b (== i 0:i32):bool):bool b):bool"},
      {"b & true", "(& b true):bool"},
      {"b == false", "(== b false):bool"},
      {"a.len()", "(extent 0 a):i64"},
      {"a.dim(0)", "(extent 0 a):i64"},
      {"gpu.global_id()", "(gpu.global_id 0):i64"},
      {"gpu.local_size(2)", "(gpu.local_size 2):i64"},
      {"math.abs(i)", "(math.abs i):i32"},
      {"m if b else a", "(if b (as m):&[f32] a):&[f32]"},
  });
  expectStatements({
      {"var x = f\n    x %= g", "  var x: f32 = f\n  x = (op.fmod place g):f32\n"},
      {"val s: &[f32] = m\n    m[0] = s[0]",
       "  val s: &[f32] = (as m):&[f32]\n  (index m 0:i64):f32 = (index s 0:i64):f32\n"},
  });
}

TEST(SemaFlow, leaves_out_what_is_not_reached) {
  expectStatements({
      {"return\n    m[0] = f", "  return\n"},
      {"while true:\n        pass\n    m[0] = f", "  while true\n"},
      {"while true:\n        break\n    return", "  while true\n    break\n  return\n"},
      {"if b:\n        return\n    else:\n        return\n    m[0] = f",
       "  if b\n    return\n  else\n    return\n"},
      {"if b:\n        m[0] = f\n    elif i > 0:\n        pass\n    else:\n        m[1] = f",
       "  if b\n    (index m 0:i64):f32 = f\n  elif (> i 0:i32):bool\n  else\n"
       "    (index m 1:i64):f32 = f\n"},
  });
}

TEST(SemaNames, of_inner_blocks_shadow_outer_ones) {
  expectStatements({
      {"var i = i\n    i += 1", "  var i: i32 = i\n  i = (+ place 1:i32):i32\n"},
      {"if b:\n        val f = d\n        val _y = f\n    val _z = f",
       "  if b\n    val f: f64 = d\n    val _y: f64 = f\n  val _z: f32 = f\n"},
      {"for i in 0..k:\n        val i = i as f32\n        m[0] = i",
       "  for i: i64 in 0:i64 .. k\n    val i: f32 = (as i):f32\n    (index m 0:i64):f32 = i\n"},
      {"val _ = callee(d, 1)\n    val _ = f",
       "  val _: f64 = (call callee d 1:i16):f64\n  val _: f32 = f\n"},
  });
}

} // namespace
