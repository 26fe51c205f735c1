// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point operations in every format and rounding mode. For narrow formats, sums, quotients
// and roots are computed in double and rounded to odd: an inexact result becomes the neighbour
// whose last bit is 1. A second rounding, to 24 bits or fewer, then gives the correctly rounded
// result.
#pragma once

#include "test/ptxsim/Program.h"

#include <cmath>

namespace ptxsim {

struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};

template <class T> struct Format;
template <> struct Format<F16> {
  using Bits = std::uint16_t;
  static constexpr int digits = 11, exponentBits = 5;
  static constexpr Bits nan = 0x7fff;
};
template <> struct Format<BF16> {
  using Bits = std::uint16_t;
  static constexpr int digits = 8, exponentBits = 8;
  static constexpr Bits nan = 0x7fff;
};
template <> struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int digits = 24, exponentBits = 8;
  static constexpr Bits nan = 0x7fffffff;
};
template <> struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int digits = 53, exponentBits = 11;
  static constexpr Bits nan = 0x7fffffffffffffff;
};

template <class T> using BitsOf = typename Format<T>::Bits;
template <class T> constexpr int signBit = 8 * sizeof(T) - 1;
template <class T> constexpr BitsOf<T> signMask = BitsOf<T>(1) << signBit<T>;

template <class T> BitsOf<T> bitsOfFloat(T value) { return std::bit_cast<BitsOf<T>>(value); }
template <class T> T floatOfBits(BitsOf<T> bits) { return std::bit_cast<T>(bits); }
template <class T> T canonicalNan() { return floatOfBits<T>(Format<T>::nan); }
template <class T> constexpr BitsOf<T> infinityBits() {
  return BitsOf<T>(((BitsOf<T>(1) << Format<T>::exponentBits) - 1) << (Format<T>::digits - 1));
}
template <class T> bool isNan(T value) {
  return BitsOf<T>(bitsOfFloat(value) & ~signMask<T>) > infinityBits<T>();
}
template <class T> bool isNegative(T value) { return (bitsOfFloat(value) & signMask<T>) != 0; }
template <class T> bool isSubnormalOrZero(T value) {
  return ((bitsOfFloat(value) & infinityBits<T>()) == 0);
}
/// Replaces a subnormal by the zero of its sign.
template <class T> T flushed(T value) {
  return isSubnormalOrZero(value) ? floatOfBits<T>(bitsOfFloat(value) & signMask<T>) : value;
}

/// Converts significand * 2^exponent to T. The last bit of the significand may be sticky: it is 1
/// if any bit below it was 1.
template <class T>
T encode(bool negative, std::uint64_t significand, int exponent, Rounding rounding);

double widen(F16 value);
double widen(BF16 value);
inline double widen(float value) { return value; }
inline double widen(double value) { return value; }

/// Converts a double, which may be rounded to odd, to T. A NaN becomes the canonical NaN of T.
template <class T> T narrow(double value, Rounding rounding);

/// Operations that round to odd.
double addToOdd(double a, double b);
double divToOdd(double a, double b);
double sqrtToOdd(double a);

template <class T> T add(T a, T b, Rounding rounding);
template <class T> T mul(T a, T b, Rounding rounding);
template <class T> T div(T a, T b, Rounding rounding);
template <class T> T fma(T a, T b, T c, Rounding rounding);
template <class T> T sqrt(T a, Rounding rounding);

} // namespace ptxsim
