// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Numbers.h"
#include "cli/Failure.h"
#include "cli/HostArray.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace spl;
using namespace spl::cli;

namespace {

template <class T> T parsed(const char *text) {
  std::byte bytes[8] = {};
  parseNumber(text, scalarTypeOf<T>(), bytes);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::string refusal(const char *text, ScalarType type) {
  std::byte bytes[8];
  try {
    parseNumber(text, type, bytes);
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.status, WrongUsage);
    return failure.what();
  }
  return "accepted";
}

template <class T> std::string formatted(T value) {
  return formatNumber(scalarTypeOf<T>(), reinterpret_cast<const std::byte *>(&value));
}

TEST(Numbers, ReadsEveryIntegerToItsEnds) {
  EXPECT_EQ(parsed<std::int8_t>("-128"), -128);
  EXPECT_EQ(parsed<std::uint8_t>("255"), 255);
  EXPECT_EQ(parsed<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parsed<std::uint64_t>("18446744073709551615"),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parsed<std::uint32_t>("0xff"), 255u);
  EXPECT_EQ(parsed<std::int32_t>("-0b101"), -5);
  EXPECT_EQ(parsed<std::int32_t>("+7"), 7);
}

TEST(Numbers, ReadsFloatsStraightToTheirType) {
  // This value is slightly above the middle of two f32 values. Parsing it through double would
  // round twice.
  EXPECT_EQ(parsed<float>("1.000000059604644775390626"), std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(parsed<float>("16777217"), 16777216.0F);
  EXPECT_EQ(parsed<double>("2.5e-3"), 2.5e-3);
  EXPECT_TRUE(std::isinf(parsed<float>("-inf")) && std::signbit(parsed<float>("-inf")));
  EXPECT_TRUE(std::isnan(parsed<double>("nan")));
  EXPECT_EQ(parsed<float>("1e-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(parsed<float>("1e-60"), 0.0F);
  EXPECT_EQ(parsed<double>("0xff"), 255.0);
  EXPECT_EQ(parsed<double>("-0XFF"), -255.0);
  EXPECT_EQ(parsed<float>("+0B101"), 5.0F);
  EXPECT_EQ(parsed<float>("-1.5"), -1.5F);
  EXPECT_TRUE(std::signbit(parsed<float>("-1e-60")));
}

TEST(Numbers, ReadsHalvesStraightToTheirType) {
  EXPECT_EQ(parsed<f16>("0.1").bits, 0x2e66);
  EXPECT_EQ(parsed<f16>("-65504").bits, 0xfbff);
  // As a double it would be 65520.
  EXPECT_EQ(parsed<f16>("65519.999999999999999999999").bits, 0x7bff);
  EXPECT_EQ(parsed<f16>("1.00048828125").bits, 0x3c00); // a tie
  EXPECT_EQ(parsed<f16>("1.00048828125000000000000001").bits, 0x3c01);
  EXPECT_EQ(parsed<f16>("6e-8").bits, 1);
  EXPECT_EQ(parsed<f16>("-1e-400").bits, 0x8000);
  EXPECT_EQ(parsed<f16>("0x7ff").bits, 0x67ff);
  EXPECT_EQ(parsed<f16>("inf").bits, 0x7c00);
  EXPECT_EQ(parsed<bf16>("1.00390625000000000000000001").bits, 0x3f81);
  EXPECT_EQ(parsed<bf16>("-3.3895313892515355e38").bits, 0xff7f);
  EXPECT_EQ(parsed<bf16>("0xffffffffffffffff").bits, 0x5f80);
  EXPECT_TRUE(std::isnan(float(parsed<bf16>("nan"))));
  EXPECT_EQ(refusal("65520", ScalarType::F16), "'65520' is out of range for f16");
  EXPECT_EQ(refusal("1e400", ScalarType::F16), "'1e400' is out of range for f16");
  EXPECT_EQ(refusal("1.x", ScalarType::BF16), "'1.x' is not a value of bf16");
  EXPECT_EQ(refusal("", ScalarType::F16), "'' is not a value of f16");
}

// Every value reads back from its text, and no text with fewer digits does.
template <class Half> void expectShortest(unsigned infinity) {
  for (unsigned bits = 0; bits != infinity; ++bits) {
    Half value;
    value.bits = static_cast<std::uint16_t>(bits);
    const std::string text = formatted(value);
    ASSERT_EQ(parsed<Half>(text.c_str()).bits, bits) << text;
    int digits = 0;
    char shorter[64];
    for (char c : text.substr(0, text.find('e')))
      digits += c >= '0' && c <= '9';
    if (text.find('.') == text.npos || text[0] == '0')
      continue; // leading and trailing zeros are not significant digits
    std::snprintf(shorter, sizeof shorter, "%.*g", digits - 1, double(float(value)));
    // A text beyond the largest value is rejected.
    if (refusal(shorter, scalarTypeOf<Half>()) == "accepted")
      ASSERT_NE(parsed<Half>(shorter).bits, bits) << text;
  }
}

TEST(Numbers, WritesHalvesWithTheFewestDigits) {
  expectShortest<f16>(0x7c00);
  expectShortest<bf16>(0x7f80);
  EXPECT_EQ(formatted(f16(1000)), "1000");
  EXPECT_EQ(formatted(f16(-0.333)), "-0.333");
  EXPECT_EQ(formatted(bf16(1e30)), "1e+30");
  EXPECT_EQ(formatted(f16(INFINITY)), "inf");
}

TEST(Numbers, RefusesWhatTheTypeCannotHold) {
  EXPECT_EQ(refusal("128", ScalarType::I8), "'128' is out of range for i8");
  EXPECT_EQ(refusal("-129", ScalarType::I8), "'-129' is out of range for i8");
  EXPECT_EQ(refusal("-1", ScalarType::U32), "'-1' is out of range for u32");
  EXPECT_EQ(refusal("18446744073709551616", ScalarType::U64),
            "'18446744073709551616' is out of range for u64");
  EXPECT_EQ(refusal("1e39", ScalarType::F32), "'1e39' is out of range for f32");
}

TEST(Numbers, RefusesWhatIsNoNumber) {
  for (const char *text : {"", "-", "0x", "1x", "1.5", "- 1", "--1", "0x-1", "one", "1,2"})
    EXPECT_EQ(refusal(text, ScalarType::I32), "'" + std::string(text) + "' is not a value of i32");
  for (const char *text : {"", "-", "1.5f", "x", "1 ", "--1", "+-1", "-+1", "++1", "0X", "0x-1"})
    EXPECT_EQ(refusal(text, ScalarType::F32), "'" + std::string(text) + "' is not a value of f32");
  EXPECT_EQ(refusal("2", ScalarType::Bool), "'2' is not a value of bool; write true or false");
}

TEST(Numbers, WritesTheShortestTextThatReadsBack) {
  EXPECT_EQ(formatted(6.0F), "6");
  EXPECT_EQ(formatted(0.1F), "0.1");
  EXPECT_EQ(formatted(0.1), "0.1");
  EXPECT_EQ(formatted(-0.0F), "-0");
  EXPECT_EQ(formatted(std::int8_t(-128)), "-128");
  EXPECT_EQ(formatted(std::uint8_t(200)), "200");
  EXPECT_EQ(formatted(true), "true");
  EXPECT_EQ(formatted(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(formatted(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(formatted(std::copysign(std::numeric_limits<float>::quiet_NaN(), -1.0F)), "nan");
  for (float value : {1.0F / 3, 1e-45F, 3.4028235e38F, 123456.789F})
    EXPECT_EQ(parsed<float>(formatted(value).c_str()), value);
}

} // namespace
