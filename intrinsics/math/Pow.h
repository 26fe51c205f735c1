// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x^y = exp(y log(x)). The logarithm and the product are unevaluated sums of two numbers, because
// exp turns their absolute error into a relative one.
#pragma once

#include "intrinsics/math/Exp.h"
#include "intrinsics/math/Log.h"

namespace spl::math {

#include "intrinsics/math/Pow.inc"

/// high + low, where low is at most about an ulp of high.
template <class F> struct Sum {
  F high, low;
};

/// The sum of a and b without an error, where a is 0 or |a| >= |b|.
template <class F> Sum<F> exactSum(F a, F b) {
  const F high = a + b;
  return {high, b - (high - a)};
}
/// The product of a and b without an error.
template <class F> Sum<F> exactProduct(F a, F b) {
  const F high = a * b;
  return {high, fma(a, b, -high)};
}

template <class Lane> struct PowConstants;
template <> struct PowConstants<f32> {
  static constexpr f32 twoThirds = 0x1.555556p-1f, twoThirdsLow = -0x1.5555560000000p-26f;
  static constexpr f32 ln2 = 0x1.62e400p-1f, ln2Low = 0x1.7f7d1cp-20f;
};
template <> struct PowConstants<f64> {
  static constexpr f64 twoThirds = 0x1.5555555555555p-1, twoThirdsLow = 0x1.5555555555555p-55;
  static constexpr f64 ln2 = 0x1.62e42fefa3800p-1, ln2Low = 0x1.ef35793c76730p-45;
};

/// log(x) for a positive finite number.
template <class F> Sum<F> logAsSum(F x) {
  using Constants = PowConstants<LaneOf<F>>;
  F e, f;
  if constexpr (isDouble<F>) {
    const auto isSubnormal = x < 0x1p-1022;
    const Parts<F> parts = partsOf(F(isSubnormal ? x * 0x1p+54 : x),
                                   isSubnormal ? F(0x1p+52 + 1024 + 54) : F(0x1p+52 + 1024));
    e = parts.exponent, f = parts.fraction;
  } else {
    const auto isSubnormal = x < 0x1p-126f;
    const Parts<F> parts = partsOf(F(isSubnormal ? x * 0x1p+23f : x), isSubnormal ? F(-23) : F(0));
    e = parts.exponent, f = parts.fraction;
  }
  // s = f / (2 + f).
  const Sum<F> d = exactSum(F(2), f);
  const F y = reciprocal(d.high);
  Sum<F> s;
  s.high = f * y;
  s.low = fma(-s.high, d.low, fma(-s.high, d.high, f)) * y;
  // s^2, and c = 2/3 + s^2 p(s^2).
  Sum<F> square = exactProduct(s.high, s.high);
  square.low = fma(s.high + s.high, s.low, square.low);
  F p;
  if constexpr (isDouble<F>)
    p = polynomial(square.high, powLogF64);
  else
    p = polynomial(square.high, powLogF32);
  Sum<F> tail = exactProduct(square.high, p);
  tail.low = fma(square.low, p, tail.low);
  Sum<F> c = exactSum(F(Constants::twoThirds), tail.high);
  c.low += tail.low + Constants::twoThirdsLow;
  // s^3 c
  Sum<F> cube = exactProduct(square.high, s.high);
  cube.low = fma(square.high, s.low, fma(square.low, s.high, cube.low));
  Sum<F> rest = exactProduct(cube.high, c.high);
  rest.low = fma(cube.high, c.low, fma(cube.low, c.high, rest.low));
  // e ln(2) + 2 s + s^3 c. The product with the first part of ln(2) is exact.
  const Sum<F> first = exactSum(e * Constants::ln2, s.high + s.high);
  const Sum<F> second = exactSum(first.high, rest.high);
  const F low = fma(e, F(Constants::ln2Low), s.low + s.low) + rest.low + (first.low + second.low);
  return exactSum(second.high, low);
}

template <class F> F pow(F x, F y) {
  using Lane = LaneOf<F>;
  const F a = abs(x);
  const Sum<F> log = logAsSum(a);
  // Beyond the bound, the result is 0 or infinity, and the product may overflow.
  const F bound = F(isDouble<F> ? Lane(0x1p+64) : Lane(0x1p+40));
  const F b = y > bound ? bound : y < -bound ? -bound : y;
  Sum<F> product = exactProduct(b, log.high);
  product.low = fma(b, log.low, product.low);
  product = exactSum(product.high, product.low);
  // The exponential bounds only the first part.
  const F low = abs(product.high) < 1024 ? product.low : F(0);
  F result = expOfSum(product.high, low);
  // 0 and infinity, whose logarithms are not finite.
  const auto isEnd = (a == 0) | (a == Lane(infinity));
  result = isEnd ? ((a == 0) == (y < 0) ? F(infinity) : F(0)) : result;
  // The sign of a negative base, for an odd exponent. For a fraction there is no result.
  const F half = y * F(Lane(0.5));
  const auto isInteger = truncate(y) == y;
  const auto isOdd = isInteger & (truncate(half) != half);
  const auto isNegative = bits(x) < 0;
  result = (isNegative & isOdd) != 0 ? -result : result;
  result =
      ((x < 0) & (isInteger == 0) & (a != Lane(infinity))) != 0 ? F(__builtin_nanf("")) : result;
  result = ((x != x) | (y != y)) != 0 ? x + y : result;
  return ((x == 1) | (y == 0)) != 0 ? F(1) : result;
}

} // namespace spl::math
