// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of signatures: what is read, what is written, and where malformed text goes wrong.
#include "test/unit/abi/Text.h"

#include <limits>
#include <random>

using namespace spl;
using spl::test::errorIn;
using spl::test::read;

TEST(SignatureText, ReadsEveryKindOfParameter) {
  const spl::abi::Signature signature =
      read("vector_add(a: &[f32], m: &[f64, 2], out: &mut [u8, 4], alpha: f32, flag: bool)");
  EXPECT_EQ(signature.name, "vector_add");
  ASSERT_EQ(signature.parameters.size(), 5u);
  EXPECT_EQ(signature.parameters[0].type, (ParameterType{ScalarType::F32, 1, false}));
  EXPECT_EQ(signature.parameters[1].type, (ParameterType{ScalarType::F64, 2, false}));
  EXPECT_EQ(signature.parameters[2].type, (ParameterType{ScalarType::U8, 4, true}));
  EXPECT_EQ(signature.parameters[3].type, (ParameterType{ScalarType::F32, 0, false}));
  EXPECT_EQ(signature.parameters[4].name, "flag");
  EXPECT_EQ(signature.indexOf("out"), 2u);
  EXPECT_EQ(signature.indexOf("nothing"), std::nullopt);
}

TEST(SignatureText, WritesWhatItReads) {
  for (const char *text :
       {"k()", "#[faults] k()", "#[cooperative] k()", "#[faults] #[cooperative] k()",
        "k(a: &[f32])", "#[faults] struct Body(pos: f32x4) #[gpu(block: [256])] k(b: Body)",
        "k(a: &mut [i64, 3], b: u16, c: bool)",
        "#[gpu(block: [256])] k(#[alias] a: &[f32], b: &mut [f32])",
        "#[gpu(block: [8, 8, 4])] scale__f32(#[alias] a: &mut [f32])",
        "scale[f32](a: &mut [f32])", "f[Ring[[f32; 4], 8], -16, true](n: i32)",
        "k(a: f32x4, b: &mut [u8x16], c: &[[[f16; 4]; 3], 2], d: bf16x8)",
        "struct A(x: u8, y: f64x2) struct B(a: [A; 3], s: f32) enum E(Low = "
        "-2147483648, High = 2147483647) struct Empty() "
        "#[gpu(block: [8])] k(b: &mut [B, 2], a: A, e: E, n: Empty)",
        "structure(enumeration: u8)",
        "k(g.cells: &[f32], #[alias] g.rows[0]: &mut [f32, 2], g.rows[1].n: i32, "
        "gg: f32, g.rows[12]: u8)",
        "_k2(b: i8, c: i16, d: i32, e: i64, f: u8, g: u16, h: u32, i: u64)"})
    EXPECT_EQ(writeSignature(read(text)), text);
  EXPECT_EQ(writeSignature(read("  k\t(a:&[f32],b :  & mut[ f64 , 2 ] ) ")),
            "k(a: &[f32], b: &mut [f64, 2])");
  EXPECT_EQ(writeSignature(read("k(g . a [ 01 ] : i32)")), "k(g.a[1]: i32)");
}

TEST(SignatureText, BoundsWhatItsTypesAreMadeOf) {
  std::string text = "struct S0(x: f32) ";
  for (int i = 1; i < 64; ++i) { // each twice the one before
    const std::string inner = "S" + std::to_string(i - 1);
    text += "struct S" + std::to_string(i) + "(a: " + inner + ", b: " + inner + ") ";
  }
  EXPECT_NE(errorIn(text + "k()").find("a smaller struct"), std::string::npos);
  // No field is too large, nor their sum; what lies between them is.
  EXPECT_NE(errorIn("struct S(a: [u8; 549755813873], v: f32x4, b: [u8; 549755813887]) "
                    "k()")
                .find("a smaller type"),
            std::string::npos);
  std::string brackets(100000, '[');
  EXPECT_NE(errorIn("k(a: " + brackets).find("a type in fewer brackets"), std::string::npos);
}

TEST(SignatureText, SaysWhereMalformedTextGoesWrong) {
  struct Case {
    const char *text, *expected;
    int column;
  };
  const Case cases[] = {
      {"", "a name", 1},
      {"#[gpu(block: [])] k()", "a number from 1 to 1024", 15},
      {"#[gpu(block: [1025])] k()", "a number from 1 to 1024", 15},
      {"#[gpu(block: [1, 2, 3, 4])] k()", "'])]'", 22},
      {"#[gpu] k()", "a name", 1},
      {"k(#[alias])", "a name", 11},
      {"(a: f32)", "a name", 1},
      {"1k()", "a name", 1},
      {"k", "'('", 2},
      {"k(", "a name", 3},
      {"k(a)", "':'", 4},
      {"k(a: f31)", "a type", 6},
      {"k(a: f32x3)", "a type", 6},
      {"k(a: f64x4)", "a type", 6},
      {"k(a: boolx4)", "a type", 6},
      {"k(a: Body)", "a type", 6},
      {"k(a: [f32, 4])", "';'", 10},
      {"k(a: [f32; 0])", "a number from 1 to 219902325555", 12},
      {"k(a: [f32; 999999999999])", "a number from 1 to 219902325555", 12},
      {"k(a: [[u8; 9999999999]; 9999999999])", "a number from 1 to 109", 25},
      {"struct", "a name", 7},
      {"struct A", "'('", 9},
      {"struct A(x: f32) struct A(y: f32) k()", "a name not used before", 26},
      {"struct f32x4(x: f32) k()", "a name not used before", 13},
      {"struct A(x: f32, x: f32) k()", "a name not used before", 19},
      {"struct A(x: B) struct B(x: f32) k()", "a type", 13},
      {"struct A(a: A) k()", "a type", 13},
      {"struct A[f32](a: i32) k(a: A)", "a type", 28},
      {"struct A[f32](a: i32) k(a: A[f32)", "']'", 34},
      {"struct A[[f32](a: i32)", "']'", 23},
      {"struct A[f32](a: i32) struct A[f32](a: f32) k()", "a name not used before", 36},
      {"struct A(x: &[f32]) k()", "a name", 13},
      {"enum E(A) k()", "'='", 9},
      {"enum E(A = 2147483648) k()", "a number from -2147483648 to 2147483647", 12},
      {"enum E(A = 1, A = 2) k()", "a name not used before", 16},
      {"k(a: &f32)", "'mut' or '['", 7},
      {"k(a: &mut f32)", "'['", 11},
      {"k(a: &[f32)", "']'", 11},
      {"k(a: &[f32, 1])", "a rank of 2, 3 or 4", 13},
      {"k(a: &[f32, 5])", "a rank of 2, 3 or 4", 13},
      {"k(a: &[f32, 22])", "']'", 14},
      {"k(a: &[f32, 2, 2])", "']'", 14},
      {"k(a: f32", "')'", 9},
      {"k(a: f32,)", "a name", 10},
      {"k(a: f32, a: f32)", "a name not used before", 12},
      {"k() k()", "the end", 5},
      {"k(g.: f32)", "a name", 5},
      {"k(g.1: f32)", "a name", 5},
      {"k(g[]: f32)", "a number from 0 to 2147483647", 5},
      {"k(g[-1]: f32)", "a number from 0 to 2147483647", 5},
      {"k(g[1: f32)", "']'", 6},
      {"k(g.a: f32, g: f32)", "a name not used before", 14},
      {"k(g: f32, g[0]: f32)", "a name not used before", 15},
      {"k(g.a[1]: f32, g.a[1]: f32)", "a name not used before", 22},
  };
  for (const Case &c : cases) {
    EXPECT_EQ(errorIn(c.text),
              std::string(c.expected) + " was expected at column " + std::to_string(c.column));
  }
}

TEST(SignatureText, NeverCrashesOnDamagedText) {
  const std::string sound =
      "struct A(x: [u8; 3]) enum E(L = 1) add(a: &[A], g.b[1]: &mut [E, 2], v: f32x4)";
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = sound;
    for (int change = 0; change < 3; ++change)
      text[random() % text.size()] = static_cast<char>(random());
    text.resize(random() % (text.size() + 1));
    const auto result = spl::abi::readSignature(text);
    if (const auto *signature = std::get_if<spl::abi::Signature>(&result))
      EXPECT_EQ(read(writeSignature(*signature)), *signature) << text;
    else
      ++refused;
  }
  EXPECT_GT(refused, 10000);
}
