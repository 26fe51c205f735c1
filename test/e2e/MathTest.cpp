// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the errors of math.* in ulp against a wider type (docs/language.md, math).
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

/// The distance of \p actual from the exact result, in ulp of the correctly rounded result. The
/// distance is 0 for the same special value and a million for another special value. Infinity
/// counts as the number after the largest finite one.
template <class T> double ulps(T actual, long double exact) {
  using Limits = std::numeric_limits<T>;
  const T rounded = static_cast<T>(exact);
  if (isSame(actual, rounded))
    return 0;
  if (std::isnan(actual) || std::isnan(rounded) || std::isinf(exact))
    return 1e6;
  const auto wide = [](auto value) {
    return std::isinf(value) ? std::copysign(std::ldexp(1.0L, Limits::max_exponent), value)
                             : static_cast<long double>(value);
  };
  const int exponent = rounded == 0
                           ? Limits::min_exponent
                                    : std::max(std::ilogb(wide(rounded)) + 1, Limits::min_exponent);
  const long double unit = std::ldexp(1.0L, exponent - Limits::digits);
  return static_cast<double>(std::fabs(wide(actual) - exact) / unit);
}

template <class T> long double function(std::size_t which, T x) {
  const long double w = x;
  switch (which) {
  case 0:
    return std::exp(w);
  case 1:
    return std::log(w);
  case 2:
    return std::sin(w);
  case 3:
    return std::cos(w);
  default:
    return std::sqrt(w);
  }
}

/// Half an ulp is the rounding error of a correctly rounded result.
constexpr double half = 0.51;

/// Compares results with exact values. The limits are in ulp of the correctly rounded result.
template <class T, class F>
void expectWithin(const std::vector<T> &out, std::span<const double> limits, F &&exact) {
  const std::size_t width = limits.size();
  std::size_t reported = 0;
  for (std::size_t at = 0; at != out.size() && reported < 5; ++at) {
    const double error = ulps<T>(out[at], exact(at / width, at % width));
    if (error <= limits[at % width] + half)
      continue;
    ++reported;
    ADD_FAILURE() << "result " << at % width << " of element " << at / width << " is "
                  << shown(out[at]) << ", " << error << " ulp off";
  }
}

} // namespace

TEST(Math, FunctionsStayWithinTheirError) {
  const double limits[] = {2, 1, 2, 2, 0};
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"math.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      for (std::size_t n : {std::size_t(33), std::size_t(20011)}) {
        auto a = plainFloats<T>(n, 1);
        for (std::size_t i = 0; i < n; i += 2) // alternately every magnitude and special values
          a[i] = inputs<T>(1, i)[0];
        std::vector<T> out(n * 5);
        build.run("functions", {.global = {std::int64_t(n)}}, a, out);
        expectWithin(out, limits, [&](auto i, auto k) { return function(k, a[i]); });
      }
    });
  });
}

TEST(Math, PowersStayWithinTheirError) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    const double most = sizeof(T) == 4 ? 4 : 2;
    const double limits[] = {most, most, most};
    forEachBuild({"math.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 20011;
      const auto [a, b] = pairs<T>(n);
      std::vector<T> out(n * 3);
      build.run("powers", {.global = {std::int64_t(n)}}, a, b, out);
      expectWithin(out, limits, [&](auto i, auto k) {
        const long double x = a[i];
        return k == 2 ? -std::pow(x, 2.0L) : std::pow(x, static_cast<long double>(b[i]));
      });
    });
  });
}
