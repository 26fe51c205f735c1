// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp(x) = 2^n exp(r), where n is the nearest integer to x / ln(2), and |r| <= ln(2) / 2 by the
// reduction of Cody and Waite (Software Manual for the Elementary Functions, 1980).
#pragma once

#include "intrinsics/math/Numbers.h"

namespace spl::math {

#include "intrinsics/math/Exp.inc"

template <class Lane> struct ExpConstants;
template <> struct ExpConstants<f32> {
  /// The result is 0 up to `least`, and infinity from below `most` on.
  static constexpr f32 least = -104.0f, most = 100.0f;
  static constexpr f32 perLn2 = 0x1.715476p+0f, ln2 = 0x1.62e430p-1f, ln2Low = -0x1.05c610p-29f;
  static constexpr f32 roundsInteger = 0x1.8p+23f; ///< a sum with it is rounded to an integer
  static constexpr int mantissa = 23, shift = 100;
  static constexpr f32 small = 0x1p-100f, large = 0x1p+100f;
};
template <> struct ExpConstants<f64> {
  static constexpr f64 least = -746, most = 800;
  static constexpr f64 perLn2 = 0x1.71547652b82fep+0, ln2 = 0x1.62e42fefa39efp-1,
                       ln2Low = 0x1.abc9e3b39803fp-56;
  static constexpr f64 roundsInteger = 0x1.8p+52;
  static constexpr int mantissa = 52, shift = 600;
  static constexpr f64 small = 0x1p-600, large = 0x1p+600;
};

/// r, and n in the low bits of `integer`, where x + low = n ln(2) + r, and |low| is at most an ulp
/// of x.
template <class F> struct ExpReduced {
  F r;
  IntOf<F> integer;
};
template <class F> ExpReduced<F> expReduce(F x, F low) {
  using Constants = ExpConstants<LaneOf<F>>;
  const F shifted = fma(x, F(Constants::perLn2), F(Constants::roundsInteger));
  const F n = shifted - Constants::roundsInteger;
  const F r = fma(n, F(-Constants::ln2), x);
  return {fma(n, F(-Constants::ln2Low), r + low), bits(shifted)};
}

/// exp(r) for the r of expReduce.
template <class F> F expOfReduced(F r) {
  if constexpr (isDouble<F>)
    return polynomial(r, expF64);
  else
    return polynomial(r, expF32);
}

/// exp(x + low) * factor, where x is from `least` to 0, and the factor is from 2^-10 to 2^10 or
/// NaN.
///
/// 2^n may be subnormal. Therefore the exponent of exp(r) is changed by n + shift, which is an
/// addition of integers, and the product with 2^-shift rounds.
template <class F> F expOfNegative(F x, F low, F factor) {
  using Constants = ExpConstants<LaneOf<F>>;
  const ExpReduced<F> reduced = expReduce(x, low);
  const IntOf<F> bitsOfPower = (reduced.integer + Constants::shift) << Constants::mantissa;
  return fromBits<F>(bits(expOfReduced(reduced.r)) + bitsOfPower) * factor * Constants::small;
}

/// exp(x + low) of f32. 2^n may be subnormal or infinite. Therefore it is a product of two powers:
/// the first is at most 2^126, and the second is not subnormal, so that only the last product
/// rounds.
template <class F> F expOfSumF32(F x, F low) {
  using Constants = ExpConstants<f32>;
  using Powers = UnsignedOf<F>;
  constexpr u32 most = 253, one = u32(1) << Constants::mantissa;
  constexpr f32 rounds = Constants::roundsInteger + most;
  constexpr f32 mostN = 144; // what `most` of the constants reduces to
  const F bounded = atLeastOrNaN(x, F(Constants::least));
  const F shifted = atMost(fma(bounded, F(Constants::perLn2), F(rounds)), F(rounds + mostN));
  const F n = shifted - rounds;
  // For larger numbers r grows, so that the result is infinity. For NaN it is NaN.
  const F r = fma(n, F(-Constants::ln2Low), fma(n, F(-Constants::ln2), bounded) + low);
  const Powers power = __builtin_bit_cast(Powers, shifted) << Constants::mantissa;
  const Powers first = __builtin_elementwise_min(power, Powers(most * one));
  const Powers second = power + one - first;
  return expOfReduced(r) * __builtin_bit_cast(F, first) * __builtin_bit_cast(F, second);
}

/// exp(x + low). It is computed as expOfNegative, with -shift for positive numbers, because 2^n may
/// be infinite.
template <class F> F expOfSumF64(F x, F low) {
  using Constants = ExpConstants<LaneOf<F>>;
  using Int = IntOf<LaneOf<F>>;
  const auto isSmall = x < 0;
  // The sum is 2^shift if the result is finite. It makes the result NaN if x is NaN.
  const F power = isSmall ? F(Constants::small) : x + F(Constants::large);
  const F bounded = atMost(atLeast(x, F(Constants::least)), F(Constants::most));
  const ExpReduced<F> reduced = expReduce(bounded, low);
  constexpr Int shift = Int(Constants::shift) << Constants::mantissa;
  const IntOf<F> bitsOfPower =
      (reduced.integer << Constants::mantissa) + (isSmall ? IntOf<F>(shift) : IntOf<F>(-shift));
  return fromBits<F>(bits(expOfReduced(reduced.r)) + bitsOfPower) * power;
}

template <class F> F expOfSum(F x, F low) {
  if constexpr (isDouble<F>)
    return expOfSumF64(x, low);
  else
    return expOfSumF32(x, low);
}

template <class F> F exp(F x) { return expOfSum(x, F(-0.0f)); }

} // namespace spl::math
