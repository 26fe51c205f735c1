// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// log(2^e m) = e ln(2) + log(m), where m is from 2/3 to 4/3.
#pragma once

#include "intrinsics/math/Numbers.h"

namespace spl::math {

#include "intrinsics/math/Log.inc"

/// A positive finite number as 2^exponent * (1 + fraction).
template <class F> struct Parts {
  F exponent, fraction;
};

inline constexpr i32 twoThirdsF32 = 0x3f2aaaab;
inline constexpr i64 twoThirdsF64 = 0x3fe5555500000000;

/// The parts of a normal number.
template <class F> Parts<F> partsOf(F x, F offset) {
  if constexpr (isDouble<F>) {
    // The exponent becomes the low bits of 2^52.
    const IntOf<F> above = bits(x) - twoThirdsF64 + (i64(1024) << 52);
    const auto exponent = __builtin_bit_cast(UnsignedOf<F>, above) >> 52;
    const IntOf<F> fraction = (above & 0xfffffffffffff) + twoThirdsF64;
    return {fromBits<F>(__builtin_bit_cast(IntOf<F>, exponent) | bits(F(0x1p+52))) - offset,
            fromBits<F>(fraction) - 1};
  } else {
    const IntOf<F> above = bits(x) - twoThirdsF32;
    const IntOf<F> exponent = above & i32(0xff800000);
    F number;
    if constexpr (Traits<F>::lanes == 1)
      number = F(exponent);
    else
      number = __builtin_convertvector(exponent, F);
    return {fma(number, F(0x1p-23f), offset), fromBits<F>(bits(x) - exponent) - 1};
  }
}

template <class F> F log(F x) {
  using Lane = LaneOf<F>;
  F r, result, normal;
  if constexpr (isDouble<F>) {
    const auto isSubnormal = x < 0x1p-1022;
    normal = isSubnormal ? x * 0x1p+54 : x;
    const Parts<F> parts =
        partsOf(normal, isSubnormal ? F(0x1p+52 + 1024 + 54) : F(0x1p+52 + 1024));
    const F f = parts.fraction;
    // With s = f / (2 + f), log(1 + f) is f - f^2 / 2 + s (f^2 / 2 + s^2 p(s^2)).
    F y = fma(f, F(reciprocalF64[1]), F(reciprocalF64[0]));
    const F d = f + 2;
    _Pragma("unroll") for (int i = 0; i != 2; ++i) {
      const F error = fma(-d, y, F(1));
      y = fma(y, fma(error, error, error), y);
    }
    const F s = f * y, square = s * s, half = f * f * F(0.5);
    r = f - fma(-s, fma(square, polynomial(square, logF64), half), half);
    result = fma(parts.exponent, F(0x1.62e42fefa39efp-1),
                 fma(parts.exponent, F(0x1.abc9e3b39803fp-56), r));
  } else {
    const auto isSubnormal = x < 0x1p-126f;
    normal = isSubnormal ? x * 0x1p+23f : x;
    const Parts<F> parts = partsOf(normal, isSubnormal ? F(-23) : F(0));
    const F f = parts.fraction;
    r = fma(f * f, polynomial(f, logF32), f);
    result = fma(parts.exponent, F(0x1.62e430p-1f), r);
  }
  // NaN, infinity and negative numbers; -infinity + infinity is NaN.
  constexpr auto infinityBits = __builtin_bit_cast(UnsignedOf<Lane>, Lane(infinity));
  const auto isSpecial = __builtin_bit_cast(UnsignedOf<F>, bits(normal)) >= infinityBits;
  result = isSpecial ? fma(normal, F(infinity), F(infinity)) : result;
  return x == 0 ? F(-infinity) : result;
}

} // namespace spl::math
