// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests f16 and bf16 on all their values against wider formats.
#include "test/ptxsim/Numbers.h"
#include "test/ptxsim/Snippet.h"

#include <random>

namespace ptxsim::test {
namespace {

TEST(PtxsimHalf, Instructions) {
  check({{"add.f16", "hhh", {0x3c00, 0x3c00}, 0x4000},
         {"add.rn.f16", "hhh", {0x7bff, 0x7bff}, 0x7c00},
         {"add.f16", "hhh", {0x7e01, 0x3c00}, 0x7fff},
         {"sub.f16", "hhh", {0x3c00, 0x3c01}, 0x9400},
         {"mul.f16", "hhh", {0x3c01, 0x3c01}, 0x3c02},
         {"mul.ftz.f16", "hhh", {0x0001, 0x3c00}, 0},
         {"mul.sat.f16", "hhh", {0x4000, 0x4000}, 0x3c00},
         {"fma.rn.f16", "hhhh", {0x3c01, 0x3c01, 0xbc02}, 0x0010},
         {"fma.rn.relu.f16", "hhhh", {0x3c00, 0xc000, 0x3c00}, 0},
         {"add.rn.bf16", "hhh", {0x3f80, 0x3b80}, 0x3f80},
         {"sub.rn.bf16", "hhh", {0x3f80, 0x3f81}, 0xbc00},
         {"mul.rn.bf16", "hhh", {0x3f81, 0x3f81}, 0x3f82},
         {"fma.rn.bf16", "hhhh", {0x3f81, 0x3f81, 0xbf82}, 0x3880},
         {"add.f16x2", "rrr", {0x3c004000, 0x3c003c00}, 0x40004200},
         {"fma.rn.bf16x2", "rrrr", {0x3f804000, 0x40004000, 0x3f803f80}, 0x404040a0},
         {"add.rn.f32.f16", "rhr", {0x3c00, 0x40000001}, 0x40400001},
         {"sub.rn.f32.bf16", "rhr", {0x3f80, 0x3f800001}, 0xb4000000},
         {"fma.rn.f32.bf16", "rhhr", {0x3f81, 0x3f81, 0xbf820000}, 0x38800000},
         {"neg.f16x2", "rr", {0x3c00bc00}, 0xbc003c00},
         {"abs.bf16", "hh", {0xbf80}, 0x3f80},
         {"min.f16", "hhh", {0x7e00, 0x3c00}, 0x3c00},
         {"max.NaN.f16", "hhh", {0x7e00, 0x3c00}, 0x7fff},
         {"max.bf16x2", "rrr", {0x3f80bf80, 0x00008000}, 0x3f808000}});
}

/// Checks narrow() on the value of every bit pattern, and between neighbours.
template <class T> void checkRounding() {
  for (unsigned pattern = 0; pattern < infinityBits<T>(); ++pattern) {
    const T low = floatOfBits<T>(static_cast<std::uint16_t>(pattern));
    const T high = floatOfBits<T>(static_cast<std::uint16_t>(pattern + 1));
    const double a = widen(low);
    const double b = std::isinf(widen(high))
                         ? 2 * a - widen(floatOfBits<T>(std::uint16_t(pattern - 1)))
                         : widen(high);
    const double middle = a + (b - a) / 2;
    ASSERT_LT(a, b);
    const unsigned even = pattern & 1 ? pattern + 1 : pattern;
    ASSERT_EQ(narrow<T>(a, Rounding::Nearest).bits, pattern);
    ASSERT_EQ(narrow<T>(middle, Rounding::Nearest).bits, even) << pattern;
    ASSERT_EQ(narrow<T>(std::nextafter(middle, b), Rounding::Nearest).bits, pattern + 1);
    ASSERT_EQ(narrow<T>(std::nextafter(middle, a), Rounding::Nearest).bits, pattern);
    ASSERT_EQ(narrow<T>(middle, Rounding::Zero).bits, pattern);
    ASSERT_EQ(narrow<T>(-middle, Rounding::Zero).bits, pattern | 0x8000);
    ASSERT_EQ(narrow<T>(middle, Rounding::Up).bits, pattern + 1);
    ASSERT_EQ(narrow<T>(-middle, Rounding::Up).bits, pattern | 0x8000);
    ASSERT_EQ(narrow<T>(middle, Rounding::Down).bits, pattern);
    ASSERT_EQ(narrow<T>(-middle, Rounding::Down).bits, (pattern + 1) | 0x8000);
  }
}

TEST(PtxsimHalf, EveryValueAndEveryMiddle) {
  checkRounding<F16>();
  checkRounding<BF16>();
}

/// The reference for fma. The exact a * b + c of bf16 is a sum of two doubles. That of f16 fits
/// into an integer of 200 bits.
TEST(PtxsimHalf, FmaRoundsOnce) {
  __extension__ using Wide = __int128;
  std::mt19937 random(3);
  for (int i = 0; i != 20000; ++i) {
    auto any = [&] { return F16{static_cast<std::uint16_t>(random() & 0xfbff)}; };
    const F16 a = any(), b = any(), c = any();
    if (isNan(a) || isNan(b) || isNan(c) || std::isinf(widen(a)) || std::isinf(widen(b)) ||
        std::isinf(widen(c)))
      continue;
    // All values are multiples of 2^-48.
    const Wide exact = Wide(std::ldexp(widen(a), 24)) * Wide(std::ldexp(widen(b), 24)) +
                       Wide(std::ldexp(widen(c), 24)) * (Wide(1) << 24);
    const F16 result = fma(a, b, c, Rounding::Nearest);
    if (std::isinf(widen(result)) || exact == 0)
      continue;
    const Wide got = Wide(std::ldexp(widen(result), 48));
    const Wide error = exact > got ? exact - got : got - exact;
    for (int step : {-1, 1}) {
      const double near = widen(F16{static_cast<std::uint16_t>(result.bits + step)});
      if (!std::isfinite(near))
        continue;
      const Wide there = Wide(std::ldexp(near, 48));
      ASSERT_LE(error, exact > there ? exact - there : there - exact)
          << a.bits << " " << b.bits << " " << c.bits;
    }
  }
}

} // namespace
} // namespace ptxsim::test
