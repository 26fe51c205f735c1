// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// erfc(x) = exp(-x^2) p(t) / (x + k) for x >= 0, where t = (x - k) / (x + k) is from -1 to 1. The
// transformation is that of Shepherd and Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2)
// erfc x in 0 <= x < infinity (Mathematics of Computation, 1981).
#pragma once

#include "intrinsics/math/Exp.h"

namespace spl::math {

#include "intrinsics/math/Erf.inc"

template <class F> F erfc(F x) {
  // Beyond the last number, the result is 0 or 2. NaN stays.
  const F last = F(isDouble<F> ? 27.25 : 10.0625), a = abs(x) > last ? last : abs(x);
  constexpr LaneOf<F> k = isDouble<F> ? 4 : 3;
  // The function is computed for d - k. The difference from a is exact.
  const F d = a + k, y = reciprocal(d), rest = a - (d - k);
  // t = 1 - 2 k / d. The second fma corrects the error of y. d - 2 k is exact.
  F t = fma(F(-2 * k), y, F(1));
  t = fma(y, fma(-t, d, d - 2 * k), t);
  F p;
  if constexpr (isDouble<F>)
    p = polynomial(t, erfcF64);
  else
    p = polynomial(t, erfcF32);
  F scaled = p * y;
  scaled = fma(fma(-scaled, d, p), y, scaled);
  // The derivative of s(x) = exp(x^2) erfc(x) is 2 x s(x) - 2 / sqrt(pi).
  scaled = fma(rest, fma(a + a, scaled, F(-0x1.20dd750429b6dp+0)), scaled);
  const F square = -a * a;
  const F result = expOfNegative(square, fma(-a, a, -square), scaled);
  return x < 0 ? 2 - result : result;
}

/// 1 - erf(a) for a from 0.9 on, with an error that is small beside 1. NaN stays.
template <class F> F erfcOfLarge(F a) {
  using Constants = ExpConstants<LaneOf<F>>;
  F exponent, factor;
  if constexpr (isDouble<F>) {
    const F y = reciprocal(a + 3);
    exponent = -a * a;
    factor = polynomial(fma(F(-6), y, F(1)), erfcOfMediumF64) * y;
  } else {
    exponent = -polynomial(a, logErfcF32);
    factor = a == a ? F(1) : a;
  }
  const ExpReduced<F> reduced = expReduce(exponent, F(-0.0f));
  return fromBits<F>(bits(expOfReduced(reduced.r)) + (reduced.integer << Constants::mantissa)) *
         factor;
}

template <class F> F erf(F x) {
  // Beyond the last number, the result is 1. NaN stays.
  const F last = F(isDouble<F> ? 6 : 4), a = abs(x) > last ? last : abs(x);
  const F square = x * x;
  F p;
  if constexpr (isDouble<F>)
    p = polynomial(square, erfF64);
  else
    p = polynomial(square, erfF32);
  return a < LaneOf<F>(0.9) ? fma(x, p, x) : copysign(1 - erfcOfLarge(a), x);
}

} // namespace spl::math
