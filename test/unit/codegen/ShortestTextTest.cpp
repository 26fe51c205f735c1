// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the device converts floats to the same shortest texts as the C++ library.
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace {

#include "intrinsics/device/ShortestText.c"

std::string textOf(float value) {
  char text[32];
  spl_shortest_text(text, std::bit_cast<std::uint32_t>(value), 23, 8);
  return text;
}
std::string textOf(double value) {
  char text[32];
  spl_shortest_text(text, std::bit_cast<std::uint64_t>(value), 52, 11);
  return text;
}

template <class T> void expectAsLibrary(T value) {
  char text[32];
  *std::to_chars(text, text + sizeof text - 1, value).ptr = 0;
  ASSERT_EQ(textOf(value), std::isnan(value) ? "nan" : text) << std::hexfloat << value;
}

} // namespace

TEST(ShortestText, OfFloatsWithAnyBits) {
  for (std::uint64_t bits = 0; bits <= 0xffffffff; bits += 49999)
    expectAsLibrary(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  std::mt19937_64 random(1);
  for (int i = 0; i != 100000; ++i)
    expectAsLibrary(std::bit_cast<double>(static_cast<std::uint64_t>(random())));
}

TEST(ShortestText, OfPowersOfTwoAndTheirNeighbours) {
  for (int exponent = -1075; exponent != 1025; ++exponent)
    for (double step : {-0x1p-52, 0.0, 0x1p-52}) {
      const double value = std::ldexp(1 + step, exponent);
      expectAsLibrary(value);
      expectAsLibrary(static_cast<float>(value));
    }
}

TEST(ShortestText, OfWholeNumbersAndFractionsOfFewDigits) {
  std::mt19937_64 random(2);
  for (int i = 0; i != 100000; ++i) {
    const auto whole = static_cast<double>(static_cast<std::int64_t>(random() >> random() % 64));
    expectAsLibrary(whole);
    expectAsLibrary(static_cast<float>(whole));
    const double fraction = whole / std::pow(10, random() % 20);
    expectAsLibrary(fraction);
    expectAsLibrary(static_cast<float>(fraction));
  }
}

TEST(ShortestText, OfSmallFormats) {
  auto text = [](unsigned bits, int mantissa, int exponent) {
    char out[32];
    spl_shortest_text(out, bits, mantissa, exponent);
    return std::string(out);
  };
  EXPECT_EQ(text(0x2e66, 10, 5), "0.1");
  EXPECT_EQ(text(0x7bff, 10, 5), "65504");
  EXPECT_EQ(text(0x0001, 10, 5), "6e-08");
  EXPECT_EQ(text(0x8000, 10, 5), "-0");
  EXPECT_EQ(text(0xfc00, 10, 5), "-inf");
  EXPECT_EQ(text(0xfe00, 10, 5), "nan");
  EXPECT_EQ(text(0x3dcd, 7, 8), "0.1");
  EXPECT_EQ(text(0x7f7f, 7, 8), "3.39e+38");
  EXPECT_EQ(text(0x47c3, 7, 8), "99840"); // 1e+05 reads back too, and is as long
  EXPECT_EQ(text(0x47c4, 7, 8), "100352");
  // Each text reads back as its value.
  for (unsigned bits = 1; bits != 0x7f80; ++bits) {
    const std::string found = text(bits, 7, 8);
    const float value = std::bit_cast<float>(bits << 16);
    const double half = std::ldexp(0.5, std::max(std::ilogb(value), -126) - 7);
    ASSERT_LE(std::fabs(std::strtod(found.c_str(), nullptr) - value), half) << found;
  }
}
