// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sin(x) and cos(x) are those of r = x - n pi / 2, up to the sign, where n is the nearest integer.
// For most x, r is found by the reduction of Cody and Waite (Software Manual for the Elementary
// Functions, 1980), and for large ones by that of Payne and Hanek (Radian reduction for
// trigonometric functions, 1983).
#pragma once

#include "intrinsics/math/Numbers.h"

namespace spl::math {

#include "intrinsics/math/SinCos.inc"

/// n modulo 4, and r.
template <class F> struct Reduced {
  F r;
  IntOf<F> n;
};

/// The reduction of a finite number of at least 2^14.
///
/// x is m 2^e for a whole number m. The bits of 2 / pi at and above 2^(2 - e) add multiples of 4 to
/// the product. The next 192 bits give it with an error below 2^-136, and its distance from an
/// integer is at least 2^-62 (Muller, Elementary Functions, 2016, 11.3.2).
inline Reduced<f64> reduceLarge(f64 x) {
  const u64 magnitude = u64(bits(x)) & 0x7fffffffffffffff;
  const u64 m = (magnitude & 0xfffffffffffff) | 0x10000000000000;
  const u32 start = u32(magnitude >> 52) - 1075 - 2 + 64; // in twoByPi
  const u64 *words = twoByPi + start / 64;
  u64 window[3];
  _Pragma("unroll") for (int i = 0; i != 3; ++i) window[i] =
      words[i] << (start % 64) | words[i + 1] >> 1 >> (63 - start % 64);
  using u128 = unsigned __int128;
  const u128 product =
      (u128(m * window[0]) << 64) + u128(m) * window[1] + u64(u128(m) * window[2] >> 64);
  const u64 high = u64(product >> 62), low = u64(product << 2);
  // high and low are a signed fraction. Its first 53 bits are exact in f64.
  const f64 first = f64(i64(high & ~u64(0x7ff))) * 0x1p-64;
  const f64 rest = f64((high & 0x7ff) << 53 | low >> 11) * 0x1p-117;
  const f64 r = fma(first, halfPiF64[0], fma(first, halfPiF64[1], rest * halfPiF64[0]));
  const i64 n = i64(product >> 126) + i64(high >> 63);
  return {x < 0 ? -r : r, x < 0 ? -n : n};
}

/// Replaces the lanes of the result for large numbers.
template <class F> void reduceLarge(F x, Reduced<F> &reduced);

template <class F> Reduced<F> reduce(F x) {
  using Lane = LaneOf<F>;
  const Lane roundsInteger = isDouble<F> ? 0x1.8p+52 : 0x1.8p+23;
  const F shifted = fma(x, F(Lane(0x1.45f306dc9c883p-1)), F(roundsInteger));
  const F n = shifted - roundsInteger;
  F r = x;
  _Pragma("unroll") for (int i = 0; i != 3; ++i) {
    if constexpr (isDouble<F>)
      r = fma(n, F(-halfPiF64[i]), r);
    else
      r = fma(n, F(-halfPiF32[i]), r);
  }
  Reduced<F> reduced = {r, bits(shifted)};
  reduceLarge(x, reduced);
  return reduced;
}

[[gnu::noinline]] inline f64 largeRemainder(f64 x) { return reduceLarge(x).r; }
[[gnu::noinline]] inline i64 largeQuotient(f64 x) { return reduceLarge(x).n; }

template <class F> void reduceLarge(F x, Reduced<F> &reduced) {
  const auto isLarge = abs(x) > LaneOf<F>(isDouble<F> ? 0x1p+30 : 0x1p+16); // not NaN
  if constexpr (Traits<F>::lanes == 1) {
    if (__builtin_expect(isLarge, false)) {
      // Infinity becomes NaN.
      const Reduced<f64> exact = reduceLarge(f64(x));
      reduced = {F(exact.r + f64(x - x)), IntOf<F>(exact.n)};
    }
  } else if (__builtin_expect(__builtin_reduce_or(isLarge), 0)) {
    for (int i = 0; i != Traits<F>::lanes; ++i)
      if (isLarge[i]) {
        reduced.r[i] = LaneOf<F>(largeRemainder(x[i]) + f64(x[i] - x[i]));
        reduced.n[i] = IntOf<LaneOf<F>>(largeQuotient(x[i]));
      }
  }
}

/// The sine or cosine of r where n is even, and the other one where it is odd. The sign is that of
/// the second bit of n.
template <class F> F sineOrCosine(F r, IntOf<F> n) {
  using Int = typename Traits<LaneOf<F>>::Int;
  const F square = r * r;
  F sine, cosine;
  if constexpr (isDouble<F>)
    sine = fma(r * square, polynomial(square, sinF64), r), cosine = polynomial(square, cosF64);
  else
    sine = fma(r * square, polynomial(square, sinF32), r), cosine = polynomial(square, cosF32);
  constexpr Int sign = Int(1) << Int(sizeof(Int) * 8 - 1);
  sine = fromBits<F>(bits(sine) | (bits(r) & sign)); // the sine of -0 is -0
  const F result = (n & 1) != 0 ? cosine : sine;
  return fromBits<F>(bits(result) ^ ((n & 2) << Int(sizeof(Int) * 8 - 2)));
}

template <class F> F sin(F x) {
  const Reduced<F> reduced = reduce(x);
  return sineOrCosine(reduced.r, reduced.n);
}
template <class F> F cos(F x) {
  const Reduced<F> reduced = reduce(x);
  return sineOrCosine(reduced.r, reduced.n + 1);
}
template <class F> void sincos(F x, F *sine, F *cosine) {
  const Reduced<F> reduced = reduce(x);
  *sine = sineOrCosine(reduced.r, reduced.n);
  *cosine = sineOrCosine(reduced.r, reduced.n + 1);
}

} // namespace spl::math
