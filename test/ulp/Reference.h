// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expected result of a math function, computed without the compiler: quickly by the host's libm
// in a wider type, or exactly by MPFR. A function is identified by its index in Functions.def.
#pragma once

#include <cstddef>
#include <span>

namespace spl::ulp {

struct Function {
  const char *name;
  unsigned operands;    ///< 1 or 2
  int limit32, limit64; ///< in ulp, as in Functions.def
  template <class T> int limit() const { return sizeof(T) == 4 ? limit32 : limit64; }
};
std::span<const Function> functions();

/// Computes the function for each x (and y, for two operands) in the next wider type.
void compute(std::size_t function, std::span<const float> x, std::span<const float> y,
             std::span<double> out);
void compute(std::size_t function, std::span<const double> x, std::span<const double> y,
             std::span<long double> out);

/// The error of a result.
struct Error {
  double distance; ///< in ulp from the correctly rounded result: a whole number or infinity
  double ulps;     ///< in ulp from the exact result
};
/// The error of \p answer, by MPFR. Infinity counts as the number after the largest finite one. If
/// only one of the result and the exact result is NaN, the error is infinite.
template <class T> Error exactError(std::size_t function, T x, T y, T answer);

} // namespace spl::ulp
