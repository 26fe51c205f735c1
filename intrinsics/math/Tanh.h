// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tanh(x) = e / (e + 2), where e = exp(2x) - 1, and with the sign of x.
#pragma once

#include "intrinsics/math/Exp.h"

namespace spl::math {

#include "intrinsics/math/Tanh.inc"

/// exp(x) - 1 for numbers of less than 60.
template <class F> F expm1OfSmall(F x) {
  using Constants = ExpConstants<LaneOf<F>>;
  const ExpReduced<F> reduced = expReduce(x, F(-0.0f));
  const F r = reduced.r;
  F q;
  if constexpr (isDouble<F>)
    q = fma(r * r, polynomial(r, expm1F64), r);
  else
    q = fma(r * r, polynomial(r, expm1F32), r);
  const F power = fromBits<F>(bits(F(1)) + (reduced.integer << Constants::mantissa));
  return fma(power, q, power - 1);
}

template <class F> F tanh(F x) {
  // Beyond the last number, the result is 1. NaN stays.
  const F last = F(isDouble<F> ? 20 : 10), a = abs(x) > last ? last : abs(x);
  const F e = expm1OfSmall(a + a), d = e + 2, rest = e - (d - 2), y = reciprocal(d);
  const F quotient = e * y, error = fma(-quotient, rest, fma(-quotient, d, e));
  return copysign(fma(error, y, quotient), x);
}

} // namespace spl::math
