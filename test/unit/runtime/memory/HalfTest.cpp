// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests f16 and bf16 against all their values, which are computed from the definitions of the
// formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <spl/Half.h>
#include <vector>

using namespace spl;

namespace {

struct Format {
  int fractionBits, bias;
};

/// The magnitude of the finite value with these bits.
double valueOf(int bits, Format format) {
  const int exponent = bits >> format.fractionBits;
  const int fraction = bits & ((1 << format.fractionBits) - 1);
  const double significand = std::ldexp(fraction, -format.fractionBits) + (exponent ? 1 : 0);
  return significand * std::exp2(std::max(exponent, 1) - format.bias);
}

template <class Half> void check(Format format) {
  const int infinity = ((1 << (15 - format.fractionBits)) - 1) << format.fractionBits;
  auto rounded = [](double value) { return Half(value).bits; };
  for (int bits = 0; bits <= infinity; ++bits) {
    // The value after the largest is the first that rounds to infinity.
    const double value = valueOf(bits, format), next = valueOf(bits + 1, format);
    Half half;
    half.bits = static_cast<std::uint16_t>(bits | 0x8000);
    const auto back = static_cast<float>(half);
    ASSERT_EQ(back, bits == infinity ? -INFINITY : static_cast<float>(-value)) << bits;
    ASSERT_TRUE(std::signbit(back));
    ASSERT_EQ(rounded(value), bits);
    ASSERT_EQ(rounded(-value), bits | 0x8000);
    if (bits == infinity)
      break;
    const double middle = (value + next) / 2;
    ASSERT_EQ(rounded(middle), bits + bits % 2) << bits;
    ASSERT_EQ(rounded(std::nextafter(middle, 0)), bits);
    ASSERT_EQ(rounded(-std::nextafter(middle, INFINITY)), (bits + 1) | 0x8000);
  }
  EXPECT_EQ(rounded(1e300), infinity);
  EXPECT_EQ(rounded(-INFINITY), infinity | 0x8000);
  EXPECT_EQ(rounded(std::numeric_limits<double>::denorm_min()), 0);
  for (int bits = infinity + 1; bits <= 0x7fff; ++bits) {
    Half half;
    half.bits = static_cast<std::uint16_t>(bits);
    ASSERT_TRUE(std::isnan(static_cast<float>(half)));
    ASSERT_TRUE(std::isnan(static_cast<float>(Half(static_cast<float>(half)))));
  }
}

} // namespace

TEST(Half, F16RoundsOnceToNearestEven) { check<f16>({10, 15}); }
TEST(Half, BF16RoundsOnceToNearestEven) { check<bf16>({7, 127}); }
