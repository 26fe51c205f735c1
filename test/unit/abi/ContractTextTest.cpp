// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of launch contracts: what is read, what is written, and where malformed text goes wrong.
#include "test/unit/abi/Text.h"

using namespace spl;
using spl::test::errorIn;
using spl::test::read;

namespace {

std::string repeated(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

std::string writtenAgain(const std::string &text) { return writeSignature(read(text)); }

} // namespace

TEST(ContractText, WritesWhatItReads) {
  const std::string kernel = "k(n: i32, a: &[f32], m: &mut [f32, 3], v: f32x4, min: u8, max: i64, "
                             "gpu: &[f32]) unchecked if ";
  for (const char *text :
       {"0 <= 9223372036854775807", "n <= -n", "-(n) <= -min(n, 1)", "a.len() <= a.dim(0)",
        "m.dim(0) * m.dim(1) <= m.dim(2)", "n + 1 - 2 * 3 / 4 <= (n - (1 + 2)) * 5",
        "gpu.num_groups(0) <= gpu.local_size(1) and gpu.global_size(2) <= 7",
        "min(n) <= max(1, 2, n, min(3, 4))", "min <= max and max - min <= min(min, max)",
        "gpu.len() <= gpu.dim(0)", "((n)) <= (((1)))", "n <= 1 and if n <= 2",
        "n <= 1 and n <= 2 and if n <= 3 and n <= 4 and if 0 <= n"})
    EXPECT_EQ(writtenAgain(kernel + text), kernel + text);
  const std::string composed = "struct In(v: i32x4, k: [u8; 3]) enum E(A = 1) "
                               "struct S(n: u32, a: [In; 2], e: E, f: f32) "
                               "k(s: S, w: i64x2, e: E) unchecked if ";
  for (const char *text : {"s.n <= w[1]", "s.a[0].v[3] + s.a[1].k[2] <= s.e - w[0]", "e <= s.e"})
    EXPECT_EQ(writtenAgain(composed + text), composed + text);
  const std::string parts =
      "struct In(k: [u8; 3]) k(g.a: &[f32], g.rows[0]: &[f32], g.rows[1]: &mut "
      "[f32, 2], g.n: i32, g.len: &[f32], g.in: In) unchecked if ";
  for (const char *text : {"g.a.len() <= g.n", "g.rows[0].len() <= g.rows[1].dim(1) + g.n",
                           "g.len.len() <= min(g.in.k[2], gpu.num_groups(0))"})
    EXPECT_EQ(writtenAgain(parts + text), parts + text);
  EXPECT_EQ(errorIn(parts + "g.b <= 0"),
            "a parameter was expected at column " + std::to_string(parts.size() + 1));
  EXPECT_EQ(errorIn(parts + "g.rows[2].len() <= 0"),
            "a parameter was expected at column " + std::to_string(parts.size() + 1));
  EXPECT_EQ(writtenAgain("k(n:i32,gpu:&[f32])  unchecked\tif-  n+0012<=min( n,gpu . len ( ))and("
                         "1)<=gpu. num_groups ( 2 ) "),
            "k(n: i32, gpu: &[f32]) unchecked if -n + 12 <= min(n, gpu.len()) and (1) <= "
            "gpu.num_groups(2)");
}

TEST(ContractText, SaysWhereMalformedTextGoesWrong) {
  struct Case {
    const char *text, *expected;
    int column; ///< from the contract's first
  };
  const std::string kernel =
      "struct S(n: u32, v: i32x2, f: f32) k(n: i32, a: &[f32], m: &[f32, 2], "
      "f: f32, b: bool, e: [i32; 2], s: S, p: &[S]) ";
  const Case cases[] = {
      {"checked if 0 <= 0", "the end", 1},
      {"unchecked", "'if'", 10},
      {"unchecked of 0 <= 0", "'if'", 11},
      {"unchecked ifn <= 0", "'if'", 11},
      {"unchecked if", "a name", 13},
      {"unchecked if 0", "'<='", 15},
      {"unchecked if 0 < 0", "'<='", 16},
      {"unchecked if 0 <=", "a name", 18},
      {"unchecked if 0 <= 0 <= 0", "the end", 21},
      {"unchecked if 0 <= 0 or 0 <= 0", "the end", 21},
      {"unchecked if 0 <= 0 andn <= 0", "the end", 21},
      {"unchecked if 0 <= 0 and", "a name", 24},
      {"unchecked if 0 <= 0 and if", "a name", 27},
      {"unchecked if if 0 <= 0", "a parameter", 14},
      {"unchecked if 0 <= 0 if 0 <= 0", "the end", 21},
      {"unchecked if 0 <= 0 and if 0 <= 0 and if 0 <= 0 and if 0 <= 0",
       "at most 3 groups of conditions", 55},
      {"unchecked if 0 <= --n", "a name", 20},
      {"unchecked if 0 <= 1 +", "a name", 22},
      {"unchecked if 0 <= 1 + * 2", "a name", 23},
      {"unchecked if 0 <= 1 % 2", "the end", 21},
      {"unchecked if 0 <= (1", "')'", 21},
      {"unchecked if 0 <= (1, 2)", "')'", 21},
      {"unchecked if 0 <= ()", "a name", 20},
      {"unchecked if 0 <= 9223372036854775808", "a number from 0 to 9223372036854775807", 19},
      {"unchecked if 0 <= 0x10", "the end", 20},
      {"unchecked if 0 <= 1e3", "the end", 20},
      {"unchecked if 0 <= min()", "a name", 23},
      {"unchecked if 0 <= min(1", "')'", 24},
      {"unchecked if 0 <= min(1,)", "a name", 25},
      {"unchecked if 0 <= min", "a parameter", 19},
      {"unchecked if 0 <= gcd(1, 2)", "'min' or 'max'", 19},
      {"unchecked if 0 <= n(1)", "'min' or 'max'", 19},
      {"unchecked if 0 <= c", "a parameter", 19},
      {"unchecked if 0 <= c.len()", "a parameter", 19},
      {"unchecked if 0 <= gpu", "a parameter", 19},
      {"unchecked if 0 <= gpu.len()", "a parameter", 19},
      {"unchecked if 0 <= gpu.num_groups", "'('", 33},
      {"unchecked if 0 <= gpu.num_groups()", "a number from 0 to 2", 34},
      {"unchecked if 0 <= gpu.global_size(3)", "a number from 0 to 2", 35},
      {"unchecked if 0 <= gpu.local_size(-1)", "a number from 0 to 2", 34},
      {"unchecked if 0 <= gpu.local_size(0", "')'", 35},
      {"unchecked if 0 <= a", "a parameter of an integer type", 19},
      {"unchecked if 0 <= f", "a parameter of an integer type", 19},
      {"unchecked if 0 <= b", "a parameter of an integer type", 19},
      {"unchecked if 0 <= e", "'['", 20},
      {"unchecked if 0 <= e[2]", "a number from 0 to 1", 21},
      {"unchecked if 0 <= e[0", "']'", 22},
      {"unchecked if 0 <= e[0][0]", "the end", 23},
      {"unchecked if 0 <= s", "'.'", 20},
      {"unchecked if 0 <= s[0]", "'.'", 20},
      {"unchecked if 0 <= s.m", "a field of 'S'", 21},
      {"unchecked if 0 <= s.f", "an integer", 19},
      {"unchecked if 0 <= s.v", "'['", 22},
      {"unchecked if 0 <= s.v.x", "'['", 22},
      {"unchecked if 0 <= s.n.n", "the end", 22},
      {"unchecked if 0 <= p.n", "'len' or 'dim'", 21},
      {"unchecked if 0 <= n.len()", "a slice of rank 1", 19},
      {"unchecked if 0 <= m.len()", "a slice of rank 1", 19},
      {"unchecked if 0 <= e.dim(0)", "'['", 20},
      {"unchecked if 0 <= f.dim(0)", "a slice", 19},
      {"unchecked if 0 <= a.length()", "'len' or 'dim'", 21},
      {"unchecked if 0 <= a.len(0)", "')'", 25},
      {"unchecked if 0 <= a.len", "'('", 24},
      {"unchecked if 0 <= a.dim()", "a number from 0 to 0", 25},
      {"unchecked if 0 <= a.dim(1)", "a number from 0 to 0", 25},
      {"unchecked if 0 <= m.dim(2)", "a number from 0 to 1", 25},
  };
  for (const Case &c : cases) {
    const std::string text = kernel + c.text;
    EXPECT_EQ(errorIn(text),
              c.expected + (" was expected at column " +
                            std::to_string(kernel.size() + static_cast<std::size_t>(c.column))));
  }
}

TEST(ContractText, BoundsWhatATextMayAskFor) {
  const std::string kernel = "k() unchecked if ";
  const auto nested = [](int levels) {
    return repeated("1 + 1 * min(7, ", levels) + "1 + 1 * 1" + repeated(")", levels) + " <= 1";
  };
  EXPECT_EQ(writtenAgain(kernel + nested(64)), kernel + nested(64));
  EXPECT_NE(errorIn(kernel + nested(65)).find("a condition in fewer parentheses was expected at"),
            std::string::npos);
  EXPECT_NE(errorIn(kernel + std::string(1 << 20, '(')).find("fewer parentheses"),
            std::string::npos);

  // Each term but the first is two steps; of the others there are four.
  EXPECT_EQ(read(kernel + "-1 <= 0" + repeated(" + 1", 2046)).contract->steps.size(),
            spl::abi::Contract::maxSteps);
  EXPECT_NE(errorIn(kernel + "-1 <= 0" + repeated(" + 1", 2047)).find("a shorter contract"),
            std::string::npos);
  EXPECT_NE(errorIn(kernel + "0" + repeated(" - 1", 1 << 18)).find("a shorter contract"),
            std::string::npos);
}
