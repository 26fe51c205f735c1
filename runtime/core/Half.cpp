// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Half.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace spl {

/// The bits of \p value in a format of 16 bits with so many of them for the significand's fraction,
/// rounded once, to nearest even.
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

  // Counted in units of the format's last place there, subnormals in those of the least normal
  // number. A carry out of the fraction is one into the exponent, which is what it has to be, up to
  // infinity.
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

} // namespace spl
