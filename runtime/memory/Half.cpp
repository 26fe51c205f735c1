// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Half.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace spl {

/// Returns the bits of \p value in a 16-bit format with \p fractionBits bits for the fraction.
/// Rounds once, to nearest even.
static std::uint16_t narrow(double value, int fractionBits) {
  const int exponentBits = 15 - fractionBits;
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int infinity = ((1 << exponentBits) - 1) << fractionBits;
  const int sign = std::signbit(value) ? 1 << 15 : 0;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | infinity | 1 << (fractionBits - 1));
  if (std::isinf(value))
    return static_cast<std::uint16_t>(sign | infinity);
  if (value == 0)
    return static_cast<std::uint16_t>(sign);

  // The value is counted in units of the format's last place. Subnormals have the units of the
  // smallest normal number. A carry out of the fraction increments the exponent, which gives the
  // right bits up to infinity.
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const double units = std::nearbyint(std::ldexp(std::abs(value), fractionBits - exponent));
  if (exponent > bias)
    return static_cast<std::uint16_t>(sign | infinity);
  const int magnitude = static_cast<int>(units) + ((exponent + bias - 1) << fractionBits);
  return static_cast<std::uint16_t>(sign | magnitude);
}

f16::f16(double value) : bits(narrow(value, 10)) {}
bf16::bf16(double value) : bits(narrow(value, 7)) {}

f16::operator float() const {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude;
  if (exponent == 31)
    magnitude = std::bit_cast<float>(0x7f800000u | static_cast<std::uint32_t>(fraction) << 13);
  else
    magnitude = std::ldexp(static_cast<float>(exponent ? fraction | 1024 : fraction),
                           (exponent ? exponent : 1) - 25);
  return bits >> 15 ? -magnitude : magnitude;
}

bf16::operator float() const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

namespace {

template <class T> std::string inChars(T value, auto... format) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value, format...).ptr};
}

double parsed(const std::string &text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Returns the decimal with the fewest digits that rounds to \p half, which must be finite and
/// above 0.
template <class Half> double shortestDecimal(Half half) {
  const auto value = static_cast<float>(half);
  const auto readsBack = [&](double decimal) { return Half(decimal) == half; };
  for (int digits = 1;; ++digits) {
    const std::string text = inChars(value, std::chars_format::scientific, digits - 1);
    const std::size_t e = text.find('e');
    std::string whole = text.substr(0, e);
    std::erase(whole, '.');
    const int mantissa = std::stoi(whole), exponent = std::stoi(text.substr(e + 1)) - digits + 1;
    const auto decimalOf = [&](int number) {
      return parsed(std::to_string(number) + "e" + std::to_string(exponent));
    };
    // A power of ten is shorter than another decimal of one digit. At a power of two the rounding
    // interval is asymmetric, so the nearest decimal may be outside it.
    const double nearest = decimalOf(mantissa), tens = decimalOf(10);
    if (digits == 1 && readsBack(tens))
      return tens;
    if (readsBack(nearest))
      return nearest;
    const double other = decimalOf(nearest < value ? mantissa + 1 : mantissa - 1);
    if (readsBack(other))
      return other;
  }
}

template <class Half> std::string shortestText(Half half) {
  const auto value = static_cast<float>(half);
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value) || value == 0)
    return inChars(value);
  half.bits &= 0x7fff;
  std::string text = inChars(shortestDecimal(half));
  // A whole number is shown with all its digits, unless an exponent is shorter. 99840, which 1e+05
  // rounds to, has as many characters.
  if (const float magnitude = std::abs(value);
      magnitude >= 1 && magnitude < 1e15f && std::floor(magnitude) == magnitude) {
    const std::string digits = std::to_string(static_cast<std::int64_t>(magnitude));
    if (digits.size() <= text.size())
      text = digits;
  }
  return value < 0 ? "-" + text : text;
}

} // namespace

std::string toString(f16 value) { return shortestText(value); }
std::string toString(bf16 value) { return shortestText(value); }

} // namespace spl
