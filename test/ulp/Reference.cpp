// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ulp/Reference.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <mpfr.h>

namespace spl::ulp {
namespace {

constexpr mpfr_rnd_t R = MPFR_RNDN;

//===-- What libm has not --===//

double exp10Of(double x) { return __builtin_exp10(x); }
long double exp10Of(long double x) { return __builtin_exp10l(x); }
template <class T> T lgammaOf(T x) {
  int sign;
  if constexpr (sizeof(T) == sizeof(double))
    return ::lgamma_r(x, &sign);
  else
    return ::lgammal_r(x, &sign);
}
template <class T> T sigmoidOf(T x) { return 1 / (1 + std::exp(-x)); }
template <class T> T geluOf(T x) {
  return x == -std::numeric_limits<T>::infinity() ? T(-0.0) : x / 2 * std::erfc(-x * T(M_SQRT1_2l));
}

void exactSigmoid(mpfr_t r, const mpfr_t x) {
  mpfr_neg(r, x, R);
  mpfr_exp(r, r, R);
  mpfr_add_ui(r, r, 1, R);
  mpfr_ui_div(r, 1, r, R);
}

void exactGelu(mpfr_t r, const mpfr_t x) {
  if (mpfr_inf_p(x) && mpfr_sgn(x) < 0)
    return mpfr_set_zero(r, -1);
  mpfr_t root;
  mpfr_init2(root, mpfr_get_prec(r));
  mpfr_set_ui(root, 2, R);
  mpfr_sqrt(root, root, R);
  mpfr_div(r, x, root, R);
  mpfr_neg(r, r, R);
  mpfr_erfc(r, r, R);
  mpfr_mul(r, r, x, R);
  mpfr_div_2ui(r, r, 1, R);
  mpfr_clear(root);
}

void exact(std::size_t function, mpfr_t r, const mpfr_t x, const mpfr_t y) {
  [[maybe_unused]] int sign;
  std::size_t at = 0;
#define FUNCTION(Name, F32, F64, Wide, Exact)                                                      \
  if (function == at++)                                                                            \
    return void(Exact);
#define FUNCTION2 FUNCTION
#include "test/ulp/Functions.def"
}

template <class T, class Wide>
void computeWide(std::size_t function, std::span<const T> xs, std::span<const T> ys,
                 std::span<Wide> out) {
  std::size_t at = 0;
#define FUNCTION(Name, F32, F64, InWide, Exact)                                                    \
  if (function == at++)                                                                            \
    for (std::size_t i = 0; i != xs.size(); ++i) {                                                 \
      const Wide x = xs[i];                                                                        \
      out[i] = InWide;                                                                             \
    }
#define FUNCTION2(Name, F32, F64, InWide, Exact)                                                   \
  if (function == at++)                                                                            \
    for (std::size_t i = 0; i != xs.size(); ++i) {                                                 \
      const Wide x = xs[i], y = ys[i];                                                             \
      out[i] = InWide;                                                                             \
    }
#include "test/ulp/Functions.def"
}

template <class T> T rounded(const mpfr_t value);
template <> float rounded(const mpfr_t value) { return mpfr_get_flt(value, R); }
template <> double rounded(const mpfr_t value) { return mpfr_get_d(value, R); }

/// Sets r to the value. Infinity becomes the number after the largest finite one.
template <class T> void setBounded(mpfr_t r, T value) {
  if (std::isinf(value)) {
    mpfr_set_si_2exp(r, value < 0 ? -1 : 1, std::numeric_limits<T>::max_exponent, R);
    return;
  }
  mpfr_set_d(r, value, R);
}

} // namespace

std::span<const Function> functions() {
  static constexpr Function all[] = {
#define FUNCTION(Name, F32, F64, Wide, Exact) {#Name, 1, F32, F64},
#define FUNCTION2(Name, F32, F64, Wide, Exact) {#Name, 2, F32, F64},
#include "test/ulp/Functions.def"
  };
  return all;
}

void compute(std::size_t function, std::span<const float> x, std::span<const float> y,
             std::span<double> out) {
  computeWide<float, double>(function, x, y, out);
}
void compute(std::size_t function, std::span<const double> x, std::span<const double> y,
             std::span<long double> out) {
  computeWide<double, long double>(function, x, y, out);
}

template <class T> Error exactError(std::size_t function, T xValue, T yValue, T answer) {
  using Limits = std::numeric_limits<T>;
  constexpr Error wrong{Limits::infinity(), Limits::infinity()};
  mpfr_t x, y, r, got;
  mpfr_init2(x, 53), mpfr_init2(y, 53), mpfr_init2(r, 300), mpfr_init2(got, 300);
  mpfr_set_d(x, xValue, R), mpfr_set_d(y, yValue, R);
  exact(function, r, x, y);
  const T right = rounded<T>(r);
  Error error{0, 0};
  if (std::isnan(right) || std::isnan(answer))
    error = std::isnan(right) && std::isnan(answer) ? Error{0, 0} : wrong;
  else if (mpfr_inf_p(r)) // an exact infinity, not one from rounding
    error = answer == right ? Error{0, 0} : wrong;
  else if (mpfr_zero_p(r) && answer == 0)
    error = std::signbit(answer) == std::signbit(right) ? Error{0, 0} : wrong;
  else if (!(std::isinf(right) && std::isinf(answer) && right == answer)) {
    mpfr_t near;
    mpfr_init2(near, 300);
    setBounded(near, right);
    setBounded(got, answer);
    // The ulp of the correctly rounded result. It is at least that of subnormals.
    const long exponent = mpfr_zero_p(near)
                              ? Limits::min_exponent
                              : std::max<long>(mpfr_get_exp(near), Limits::min_exponent);
    mpfr_sub(near, got, near, R);
    mpfr_sub(got, got, r, R);
    mpfr_mul_2si(near, near, Limits::digits - exponent, R);
    mpfr_mul_2si(got, got, Limits::digits - exponent, R);
    error = {std::fabs(mpfr_get_d(near, R)), std::fabs(mpfr_get_d(got, R))};
    mpfr_clear(near);
  }
  mpfr_clears(x, y, r, got, nullptr);
  return error;
}

template Error exactError(std::size_t, float, float, float);
template Error exactError(std::size_t, double, double, double);

} // namespace spl::ulp
