// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the math functions are written in. They are templates of a type F, which is f32, f64 or a
// vector of these. Each lane of a vector has the bits that the scalar function returns, because all
// operations work lane by lane, and clang neither fuses nor reorders them.
//
// clang compiles these files to bitcode (MathFunctions.cpp). There is no C library.
#pragma once

namespace spl::math {

using f32 = float;
using f64 = double;
using i32 = int;
using i64 = long long;
using u32 = unsigned int;
using u64 = unsigned long long;

template <class T, int lanes> using Vector = T __attribute__((ext_vector_type(lanes)));

/// The lane of a type, the number of lanes, and the integers of the same size.
template <class F> struct Traits;
template <> struct Traits<f32> {
  using Lane = f32;
  using Int = i32;
  using Unsigned = u32;
  static constexpr int lanes = 1;
};
template <> struct Traits<f64> {
  using Lane = f64;
  using Int = i64;
  using Unsigned = u64;
  static constexpr int lanes = 1;
};
template <class T, int count> struct Traits<Vector<T, count>> {
  using Lane = T;
  using Int = Vector<typename Traits<T>::Int, count>;
  using Unsigned = Vector<typename Traits<T>::Unsigned, count>;
  static constexpr int lanes = count;
};
template <class F> using LaneOf = typename Traits<F>::Lane;
template <class F> using IntOf = typename Traits<F>::Int;
template <class F> using UnsignedOf = typename Traits<F>::Unsigned;
template <class F> constexpr bool isDouble = sizeof(LaneOf<F>) == 8;

template <class F> F fma(F a, F b, F c) { return __builtin_elementwise_fma(a, b, c); }
template <class F> F abs(F x) { return __builtin_elementwise_abs(x); }
template <class F> F truncate(F x) { return __builtin_elementwise_trunc(x); }
template <class F> F copysign(F x, F sign) { return __builtin_elementwise_copysign(x, sign); }
template <class F> IntOf<F> bits(F x) { return __builtin_bit_cast(IntOf<F>, x); }
template <class F> F fromBits(IntOf<F> bits) { return __builtin_bit_cast(F, bits); }

constexpr f32 infinity = __builtin_inff();

/// The larger and the smaller one. The result for NaN is either of them.
template <class F> F atLeast(F x, F bound) {
  if constexpr (Traits<F>::lanes == 1 && !isDouble<F>)
    return __builtin_elementwise_maximumnum(x, bound); // an instruction of GPUs
  else
    return x < bound ? bound : x; // an instruction of CPUs
}
template <class F> F atMost(F x, F bound) {
  if constexpr (Traits<F>::lanes == 1 && !isDouble<F>)
    return __builtin_elementwise_minimumnum(x, bound);
  else
    return x > bound ? bound : x;
}

/// The larger one, or NaN if x is NaN.
template <class F> F atLeastOrNaN(F x, F bound) {
  if constexpr (Traits<F>::lanes == 1 && !isDouble<F>)
    return __builtin_elementwise_maximum(x, bound); // an instruction of GPUs from sm_80 on
  else
    return x < bound ? bound : x;
}

/// The polynomial with these coefficients, the constant first, by Horner's rule.
template <class F, class T, int count> F polynomial(F x, const T (&coefficients)[count]) {
  F sum = F(LaneOf<F>(coefficients[count - 1]));
  _Pragma("unroll") for (int i = count - 2; i >= 0; --i) sum =
      fma(sum, x, F(LaneOf<F>(coefficients[i])));
  return sum;
}

/// 1 / x for a positive normal number that is below 2^100, with an error below an ulp. The
/// difference of the bits is a value with an error of less than 1/8. Each step cubes the error.
template <class F> F reciprocal(F x) {
  F y;
  if constexpr (isDouble<F>)
    y = fromBits<F>(i64(0x7fde623800000000) - bits(x));
  else
    y = fromBits<F>(i32(0x7ef311c4) - bits(x));
  _Pragma("unroll") for (int i = 0; i != (isDouble<F> ? 3 : 2); ++i) {
    const F error = fma(-x, y, F(1));
    y = fma(y, fma(error, error, error), y);
  }
  return y;
}

} // namespace spl::math
