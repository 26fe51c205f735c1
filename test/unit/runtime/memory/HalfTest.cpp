// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests f16 and bf16 against all their values, which are computed from the definitions of the
// formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <spl/Half.h>
#include <string>
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

/// Whether a decimal of so many digits is rounded to the half: the nearest one, or one beside it.
template <class Half> bool readsBackWith(int digits, Half half) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1,
                static_cast<double>(static_cast<float>(half)));
  const std::string all = text;
  const std::size_t e = all.find('e');
  std::string mantissa = all.substr(0, e);
  std::erase(mantissa, '.');
  const int exponent = std::stoi(all.substr(e + 1)) - digits + 1;
  for (long number = std::stol(mantissa) - 1, last = number + 2; number <= last; ++number)
    if (number > 0 &&
        Half(std::strtod((std::to_string(number) + "e" + std::to_string(exponent)).c_str(),
                         nullptr)) == half)
      return true;
  return false;
}

/// Whether a power of ten, which has no other digit than 1, is rounded to the half.
template <class Half> bool isOfAPowerOfTen(Half half) {
  for (int exponent = -45; exponent <= 39; ++exponent)
    if (Half(std::strtod(("1e" + std::to_string(exponent)).c_str(), nullptr)) == half)
      return true;
  return false;
}

/// The number of digits without zeros on either side.
int digitsOf(std::string text) {
  text = text.substr(0, text.find('e'));
  std::erase(text, '.');
  const std::size_t first = text.find_first_not_of('0'), last = text.find_last_not_of('0');
  return static_cast<int>(last - first + 1);
}

template <class Half> void checkTexts() {
  for (int bits = 0; bits <= 0x7fff; ++bits) {
    Half half, negative;
    half.bits = static_cast<std::uint16_t>(bits);
    negative.bits = static_cast<std::uint16_t>(bits | 0x8000);
    const std::string text = toString(half);
    const auto value = static_cast<float>(half);
    if (std::isnan(value)) {
      ASSERT_EQ(text, "nan");
      ASSERT_EQ(toString(negative), "nan");
      continue;
    }
    ASSERT_EQ(toString(negative), "-" + text);
    if (std::isinf(value) || value == 0) {
      ASSERT_EQ(text, value == 0 ? "0" : "inf");
      continue;
    }
    ASSERT_EQ(Half(std::strtod(text.c_str(), nullptr)).bits, bits) << text;
    // An exponent is only used where it makes the text shorter.
    if (value >= 1 && value < 1e15f && std::floor(value) == value && text.find('e') != text.npos)
      ASSERT_LT(text.size(), std::to_string(static_cast<long long>(value)).size()) << text;
    // A whole number has all its digits, whether they are needed or not.
    if (text.find_first_of(".e") == std::string::npos)
      ASSERT_EQ(text, std::to_string(static_cast<long long>(value)));
    else if (const int digits = digitsOf(text); digits > 1)
      ASSERT_FALSE(readsBackWith(digits - 1, half)) << text;
    else // 0.001 rather than 0.0009
      ASSERT_EQ(text.find_first_of("23456789") < text.find('e'), !isOfAPowerOfTen(half)) << text;
  }
}

} // namespace

TEST(Half, TextsAreTheShortestThatReadBack) {
  checkTexts<f16>();
  checkTexts<bf16>();
}

TEST(Half, F16RoundsOnceToNearestEven) { check<f16>({10, 15}); }
TEST(Half, BF16RoundsOnceToNearestEven) { check<bf16>({7, 127}); }
