// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests arithmetic on f32 and f64, its rounding modes and the approximate functions.
#include "test/ptxsim/Snippet.h"

#include <cmath>
#include <limits>
#include <random>

namespace ptxsim::test {
namespace {

constexpr float inf = INFINITY, tiny = 1e-45F, large = std::numeric_limits<float>::max();
// Any NaN is an operand, one NaN is the result.
const std::uint64_t nan32 = 0x7fffffff, other = 0xffc12345;

TEST(PtxsimFloat, SumsAndProducts) {
  check({{"add.f32", "rrr", {bits(1.0F), bits(2.0F)}, bits(3.0F)},
         {"add.rn.f32", "rrr", {bits(inf), bits(-inf)}, nan32},
         {"add.f32", "rrr", {other, bits(1.0F)}, nan32},
         {"add.ftz.f32", "rrr", {bits(tiny), bits(-0.0F)}, bits(0.0F)},
         {"add.sat.f32", "rrr", {bits(0.75F), bits(0.75F)}, bits(1.0F)},
         {"add.sat.f32", "rrr", {other, bits(0.75F)}, bits(0.0F)},
         {"sub.f32", "rrr", {bits(1.0F), bits(1.0F)}, bits(0.0F)},
         {"sub.rm.f32", "rrr", {bits(1.0F), bits(1.0F)}, bits(-0.0F)},
         {"sub.f64", "ddd", {bits(1.0), bits(0.25)}, bits(0.75)},
         {"sub.rm.f64", "ddd", {bits(1.0), bits(1.0)}, bits(-0.0)},
         {"mul.f32", "rrr", {bits(tiny), bits(0.5F)}, bits(0.0F)},
         {"mul.rp.f32", "rrr", {bits(tiny), bits(0.5F)}, bits(tiny)},
         {"mul.rz.f32", "rrr", {bits(large), bits(2.0F)}, bits(large)},
         {"mul.rn.f32", "rrr", {bits(large), bits(2.0F)}, bits(inf)},
         {"mul.rm.f32", "rrr", {bits(-large), bits(2.0F)}, bits(-inf)},
         {"mul.f64", "ddd", {bits(1e-200), bits(1e-200)}, bits(0.0)},
         {"mul.rp.f64", "ddd", {bits(1e-200), bits(1e-200)}, 1},
         {"add.rz.f64", "ddd", {bits(1.0), bits(-1e-30)}, bits(std::nextafter(1.0, 0.0))},
         {"div.rn.f32", "rrr", {bits(1.0F), bits(3.0F)}, bits(1.0F / 3)},
         {"div.rp.f32", "rrr", {bits(1.0F), bits(3.0F)}, bits(1.0F / 3)},
         {"div.rm.f32", "rrr", {bits(1.0F), bits(3.0F)}, bits(std::nextafter(1.0F / 3, 0.0F))},
         {"div.full.f32", "rrr", {bits(6.0F), bits(3.0F)}, bits(2.0F)},
         {"div.approx.ftz.f32", "rrr", {bits(tiny), bits(1.0F)}, bits(0.0F)},
         {"div.rn.f64", "ddd", {bits(1.0), bits(-0.0)}, bits(-double(inf))},
         {"add.rn.f32x2",
          "lll",
          {bits(1.0F) << 32 | bits(2.0F), bits(3.0F) << 32 | bits(4.0F)},
          bits(4.0F) << 32 | bits(6.0F)}});
}

TEST(PtxsimFloat, OneRoundingInFma) {
  const float a = 1 + 0x1p-12F, c = -1 - 0x1p-11F;
  check(
      {{"fma.rn.f32", "rrrr", {bits(a), bits(a), bits(c)}, bits(0x1p-24F)},
       {"mad.rn.f32", "rrrr", {bits(a), bits(a), bits(c)}, bits(0x1p-24F)},
       {"fma.rn.sat.f32", "rrrr", {bits(2.0F), bits(2.0F), bits(2.0F)}, bits(1.0F)},
       {"fma.rz.f32", "rrrr", {bits(large), bits(large), bits(-inf)}, bits(-inf)},
       {"fma.rp.f64", "dddd", {bits(1.0), bits(1.0), bits(1e-300)}, bits(std::nextafter(1.0, 2.0))},
       {"fma.rm.f64", "dddd", {bits(1.0), bits(1.0), bits(1e-300)}, bits(1.0)},
       {"fma.rn.ftz.f32", "rrrr", {bits(0x1p-80F), bits(0x1p-60F), bits(0.0F)}, bits(0.0F)},
       {"fma.rn.f32x2",
        "llll",
        {bits(a) << 32 | bits(a), bits(a) << 32 | bits(2.0F), bits(c) << 32 | bits(1.0F)},
        bits(0x1p-24F) << 32 | bits(2 * a + 1)}});
}

/// The reference for directed roundings. If the exponents are close, the exact sum of two f32 is a
/// long double.
TEST(PtxsimFloat, DirectedRoundingsEncloseTheExactValue) {
  std::mt19937 random(5);
  for (int i = 0; i != 200; ++i) {
    const float a = std::ldexp(1 + std::ldexp(float(random()), -32), int(random() % 20) - 10);
    const float b = std::ldexp(1 + std::ldexp(float(random()), -32), int(random() % 20) - 10);
    auto result = [&](const char *instruction) {
      return std::bit_cast<float>(std::uint32_t(eval(instruction, "rrr", {bits(a), bits(b)})));
    };
    struct {
      const char *down, *up, *near;
      long double exact, remainder;
    } rows[] = {{"add.rm.f32", "add.rp.f32", "add.rn.f32", (long double)a + b, 0},
                {"mul.rm.f32", "mul.rp.f32", "mul.rn.f32", (long double)a * b, 0},
                {"div.rm.f32", "div.rp.f32", "div.rn.f32", (long double)a / b, 0}};
    for (const auto &row : rows) {
      const float down = result(row.down), up = result(row.up), near = result(row.near);
      ASSERT_LE(down, row.exact) << row.down << " " << a << " " << b;
      ASSERT_GE(up, row.exact) << row.up << " " << a << " " << b;
      ASSERT_LE(up, std::nextafter(down, inf)) << row.up;
      ASSERT_TRUE(near == float(row.exact)) << row.near;
    }
  }
}

TEST(PtxsimFloat, Roots) {
  check({{"sqrt.rn.f32", "rr", {bits(2.0F)}, bits(std::sqrt(2.0F))},
         {"sqrt.rz.f32", "rr", {bits(2.0F)}, bits(0x1.6a09e6p0F)},
         {"sqrt.rp.f32", "rr", {bits(2.0F)}, bits(0x1.6a09e8p0F)},
         {"sqrt.rn.f32", "rr", {bits(-0.0F)}, bits(-0.0F)},
         {"sqrt.rn.f32", "rr", {bits(-1.0F)}, nan32},
         {"sqrt.approx.f32", "rr", {bits(9.0F)}, bits(3.0F)},
         {"sqrt.rn.f64", "dd", {bits(2.0)}, bits(std::sqrt(2.0))},
         {"rcp.rn.f32", "rr", {bits(3.0F)}, bits(1 / 3.0F)},
         {"rcp.rn.f64", "dd", {bits(3.0)}, bits(1 / 3.0)},
         {"rcp.approx.ftz.f32", "rr", {bits(tiny)}, bits(inf)},
         {"rcp.rz.f64", "dd", {bits(3.0)}, bits(1 / 3.0)},
         {"rsqrt.approx.f32", "rr", {bits(4.0F)}, bits(0.5F)},
         {"rsqrt.approx.f32", "rr", {bits(-0.0F)}, bits(-inf)},
         {"rsqrt.approx.f64", "dd", {bits(16.0)}, bits(0.25)}});
}

TEST(PtxsimFloat, SignsAndExtremes) {
  check({{"abs.f32", "rr", {bits(-2.0F)}, bits(2.0F)},
         {"abs.ftz.f32", "rr", {bits(-tiny)}, bits(0.0F)},
         {"neg.f64", "dd", {bits(0.0)}, bits(-0.0)},
         {"neg.f32", "rr", {bits(2.0F)}, bits(-2.0F)},
         {"min.f32", "rrr", {bits(0.0F), bits(-0.0F)}, bits(-0.0F)},
         {"max.f32", "rrr", {bits(-0.0F), bits(0.0F)}, bits(0.0F)},
         {"min.f32", "rrr", {other, bits(3.0F)}, bits(3.0F)},
         {"max.f32", "rrr", {bits(3.0F), other}, bits(3.0F)},
         {"max.f32", "rrr", {other, other}, nan32},
         {"max.NaN.f32", "rrr", {bits(3.0F), other}, nan32},
         {"min.f64", "ddd", {bits(3.0), bits(-4.0)}, bits(-4.0)},
         {"min.ftz.f32", "rrr", {bits(-tiny), bits(1.0F)}, bits(-0.0F)},
         {"max.f32", "rrrr", {bits(1.0F), bits(5.0F), bits(3.0F)}, bits(5.0F)},
         {"copysign.f32", "rrr", {bits(-0.0F), bits(3.0F)}, bits(-3.0F)},
         {"copysign.f64", "ddd", {bits(1.0), bits(-3.0)}, bits(3.0)}});
}

TEST(PtxsimFloat, Functions) {
  check({{"sin.approx.f32", "rr", {bits(0.5F)}, bits(float(std::sin(0.5)))},
         {"cos.approx.f32", "rr", {bits(0.5F)}, bits(float(std::cos(0.5)))},
         {"lg2.approx.f32", "rr", {bits(8.0F)}, bits(3.0F)},
         {"lg2.approx.ftz.f32", "rr", {bits(-tiny)}, bits(-inf)},
         {"ex2.approx.f32", "rr", {bits(-3.0F)}, bits(0.125F)},
         {"ex2.approx.ftz.f32", "rr", {bits(-130.0F)}, bits(0.0F)},
         {"ex2.approx.f32", "rr", {bits(-130.0F)}, bits(0x1p-130F)},
         {"ex2.approx.f16", "hh", {0x4200}, 0x4800},
         {"tanh.approx.f32", "rr", {bits(1.0F)}, bits(float(std::tanh(1.0)))},
         {"tanh.approx.bf16x2", "rr", {0x7f80ff80}, 0x3f80bf80}});
}

TEST(PtxsimFloat, Classes) {
  check({{"testp.finite.f32", "pr", {bits(inf)}, 0},
         {"testp.infinite.f32", "pr", {bits(-inf)}, 1},
         {"testp.number.f64", "pd", {bits(1.0)}, 1},
         {"testp.notanumber.f32", "pr", {other}, 1},
         {"testp.normal.f32", "pr", {bits(tiny)}, 0},
         {"testp.subnormal.f32", "pr", {bits(tiny)}, 1}});
}

} // namespace
} // namespace ptxsim::test
