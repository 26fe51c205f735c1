// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point of every format with every rounding. Narrow formats are computed in double: a sum,
// quotient or root there is rounded to odd (exact, or the neighbour whose last bit is 1), which
// has bits enough that a second rounding to 24 bits or fewer gives the exactly rounded result.
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
/// Subnormals become zeros of their sign.
template <class T> T flushed(T value) {
  return isSubnormalOrZero(value) ? floatOfBits<T>(bitsOfFloat(value) & signMask<T>) : value;
}

/// significand * 2^exponent in format T; the significand's last bit may represent more below it.
template <class T>
T encode(bool negative, std::uint64_t significand, int exponent, Rounding rounding);

double widen(F16 value);
double widen(BF16 value);
inline double widen(float value) { return value; }
inline double widen(double value) { return value; }

/// A double, perhaps rounded to odd, in format T. NaN becomes T's own.
template <class T> T narrow(double value, Rounding rounding);

/// The operations rounded to odd.
double addToOdd(double a, double b);
double divToOdd(double a, double b);
double sqrtToOdd(double a);

template <class T> T add(T a, T b, Rounding rounding);
template <class T> T mul(T a, T b, Rounding rounding);
template <class T> T div(T a, T b, Rounding rounding);
template <class T> T fma(T a, T b, T c, Rounding rounding);
template <class T> T sqrt(T a, Rounding rounding);

} // namespace ptxsim
