// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function of the language should answer, computed without the compiler: by the host's libm
// in a wider type, fast, and by MPFR, exactly. Functions go by their place in Functions.def.
#pragma once

#include <cstddef>
#include <span>

namespace spl::ulp {

struct Function {
  const char *name;
  unsigned operands;    ///< 1 or 2
  int limit32, limit64; ///< in ulp, as Functions.def has them
  template <class T> int limit() const { return sizeof(T) == 4 ? limit32 : limit64; }
};
std::span<const Function> functions();

/// Of each x (and y, where the function has two operands) in the next wider type.
void compute(std::size_t function, std::span<const float> x, std::span<const float> y,
             std::span<double> out);
void compute(std::size_t function, std::span<const double> x, std::span<const double> y,
             std::span<long double> out);

/// The error of an answer against the exact result.
struct Error {
  double distance; ///< in ulp, from the correctly rounded result: a whole number, or infinity
  double ulps;     ///< in ulp, from the exact result
};
/// Of an answer of T's for those operands, by MPFR. Infinity is the number after the largest; NaN
/// for another answer, or one of it, is infinitely far.
template <class T> Error exactError(std::size_t function, T x, T y, T answer);

} // namespace spl::ulp
