// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Numbers.h"

#include <cfenv>

namespace ptxsim {

//===-- Between formats --===//

template <class T>
T encode(bool negative, std::uint64_t significand, int exponent, Rounding rounding) {
  using F = Format<T>;
  using Bits = BitsOf<T>;
  const Bits sign = negative ? signMask<T> : Bits(0);
  if (significand == 0)
    return floatOfBits<T>(sign);
  constexpr int bias = (1 << (F::exponentBits - 1)) - 1;
  const int shift = std::countl_zero(significand);
  significand <<= shift;
  exponent += 63 - shift; // the value is 1.xxx * 2^exponent
  // The number of bits that a subnormal has fewer.
  const int below = std::max(0, (1 - bias) - exponent);
  const int dropped = std::min(64 - F::digits + below, 65);
  const std::uint64_t kept = dropped >= 64 ? 0 : significand >> dropped;
  const std::uint64_t rest = dropped >= 64 ? significand : significand << (64 - dropped);
  const std::uint64_t half = std::uint64_t(1) << 63;
  bool up = false;
  switch (rounding) {
  case Rounding::Nearest:
    up = dropped <= 64 && (rest > half || (rest == half && (kept & 1)));
    break;
  case Rounding::Zero:
    break;
  case Rounding::Down:
    up = negative && rest != 0;
    break;
  case Rounding::Up:
    up = !negative && rest != 0;
    break;
  }
  // A carry out of the significand correctly raises the exponent.
  Bits bits = static_cast<Bits>(kept + up);
  if (below == 0) {
    if (exponent > bias) {
      bits = infinityBits<T>();
      const bool away = rounding == Rounding::Nearest || (rounding == Rounding::Up && !negative) ||
                        (rounding == Rounding::Down && negative);
      return floatOfBits<T>(sign | static_cast<Bits>(away ? bits : bits - 1));
    }
    bits += static_cast<Bits>(static_cast<Bits>(exponent + bias - 1) << (F::digits - 1));
  }
  return floatOfBits<T>(sign | bits);
}

template <class T> static double widenSmall(T value) {
  using F = Format<T>;
  const unsigned fraction = value.bits & ((1U << (F::digits - 1)) - 1);
  const int field = (value.bits & ~signMask<T>) >> (F::digits - 1);
  constexpr int bias = (1 << (F::exponentBits - 1)) - 1, top = (1 << F::exponentBits) - 1;
  double result;
  if (field == top)
    result = fraction ? std::nan("") : INFINITY;
  else
    result = std::ldexp(field ? fraction + (1U << (F::digits - 1)) : fraction,
                        std::max(field, 1) - bias - (F::digits - 1));
  return isNegative(value) ? -result : result;
}

double widen(F16 value) { return widenSmall(value); }
double widen(BF16 value) { return widenSmall(value); }

template <class T> T narrow(double value, Rounding rounding) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = std::signbit(value);
  if (std::isnan(value))
    return canonicalNan<T>();
  if (std::isinf(value))
    return floatOfBits<T>(infinityBits<T>() | (negative ? signMask<T> : BitsOf<T>(0)));
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & lowBits(52);
  return encode<T>(negative, field ? fraction | std::uint64_t(1) << 52 : fraction,
                   std::max(field, 1) - 1075, rounding);
}

//===-- Rounding to odd --===//

/// Rounds to odd. \p nearest is rounded to nearest; \p error is the exact value minus \p nearest.
static double toOdd(double nearest, double error) {
  auto bits = std::bit_cast<std::uint64_t>(nearest);
  if (error == 0 || (bits & 1) || !std::isfinite(nearest))
    return nearest;
  bits += (error > 0) == (nearest > 0) ? 1 : -1;
  return std::bit_cast<double>(bits);
}

double addToOdd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return toOdd(sum, std::isfinite(sum) ? (a - (sum - part)) + (b - part) : 0);
}

double divToOdd(double a, double b) {
  const double quotient = a / b;
  if (!std::isfinite(quotient) || !std::isfinite(b) || quotient == 0)
    return quotient;
  const double remainder = std::fma(-quotient, b, a);
  return toOdd(quotient, b > 0 ? remainder : -remainder);
}

double sqrtToOdd(double a) {
  const double root = std::sqrt(a);
  return std::isfinite(root) && root != 0 ? toOdd(root, std::fma(-root, root, a)) : root;
}

//===-- Operations --===//

namespace {

/// Sets the host's rounding mode. For double only, which has no wider type.
class HostRounding {
public:
  explicit HostRounding(Rounding rounding) : before(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[static_cast<int>(rounding)]);
  }
  ~HostRounding() { std::fesetround(before); }
  HostRounding(const HostRounding &) = delete;
  HostRounding &operator=(const HostRounding &) = delete;

private:
  int before;
};

/// The zero that is the sum x + y: -0 if the rounding is downwards or both operands are -0.
template <class T> T exactZero(double x, double y, Rounding rounding) {
  const bool negative =
      std::signbit(x) == std::signbit(y) ? std::signbit(x) : rounding == Rounding::Down;
  return floatOfBits<T>(negative ? signMask<T> : BitsOf<T>(0));
}

template <class T> T sum(double a, double b, Rounding rounding) {
  const double total = addToOdd(a, b);
  return total == 0 ? exactZero<T>(a, b, rounding) : narrow<T>(total, rounding);
}

/// Hides a value from the optimiser, so that it does not move operations across a change of the
/// rounding mode.
template <class T> T opaque(T value) {
  volatile T kept = value;
  return kept;
}

} // namespace

template <class T> T add(T a, T b, Rounding rounding) {
  if constexpr (!std::is_same_v<T, double>) {
    return sum<T>(widen(a), widen(b), rounding);
  } else {
    HostRounding host(rounding);
    return opaque(opaque(a) + opaque(b));
  }
}

template <class T> T mul(T a, T b, Rounding rounding) {
  if constexpr (!std::is_same_v<T, double>) {
    return narrow<T>(widen(a) * widen(b), rounding);
  } else {
    HostRounding host(rounding);
    return opaque(opaque(a) * opaque(b));
  }
}

template <class T> T div(T a, T b, Rounding rounding) {
  if constexpr (!std::is_same_v<T, double>) {
    return narrow<T>(divToOdd(widen(a), widen(b)), rounding);
  } else {
    HostRounding host(rounding);
    return opaque(opaque(a) / opaque(b));
  }
}

template <class T> T fma(T a, T b, T c, Rounding rounding) {
  if constexpr (!std::is_same_v<T, double>) {
    return sum<T>(widen(a) * widen(b), widen(c), rounding);
  } else {
    HostRounding host(rounding);
    return opaque(std::fma(opaque(a), opaque(b), opaque(c)));
  }
}

template <class T> T sqrt(T a, Rounding rounding) {
  if constexpr (!std::is_same_v<T, double>) {
    return narrow<T>(sqrtToOdd(widen(a)), rounding);
  } else {
    HostRounding host(rounding);
    return opaque(std::sqrt(opaque(a)));
  }
}

#define FORMAT(T)                                                                                  \
  template T encode<T>(bool, std::uint64_t, int, Rounding);                                        \
  template T narrow<T>(double, Rounding);                                                          \
  template T add<T>(T, T, Rounding);                                                               \
  template T mul<T>(T, T, Rounding);                                                               \
  template T div<T>(T, T, Rounding);                                                               \
  template T fma<T>(T, T, T, Rounding);                                                            \
  template T sqrt<T>(T, Rounding);
FORMAT(F16)
FORMAT(BF16)
FORMAT(float)
FORMAT(double)
#undef FORMAT

} // namespace ptxsim
