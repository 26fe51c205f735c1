// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests floating-point functions with exact results against the host's libm.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

/// Special values, numbers halfway between integers, and numbers of every magnitude.
template <class T> std::vector<T> roundable(std::size_t n) {
  std::vector<T> values = inputs<T>(n, 7);
  for (std::size_t i = 2; i < n; i += 3)
    values[i] = T(static_cast<std::int64_t>(i % 4001) - 2000) / 4;
  return values;
}

template <class T> T least(T a, T b) { // the minimum by the rules of the language
  return std::isnan(a)                        ? b
         : std::isnan(b)                      ? a
         : std::signbit(a) == std::signbit(b) ? std::min(a, b)
         : std::signbit(a)                    ? a
                                              : b;
}
template <class T> T most(T a, T b) { return -least(T(-a), T(-b)); }
template <class T> T clamp(T x, T lo, T hi) { return least(most(x, lo), hi); }

template <class T> T ofOne(T x, std::size_t which) {
  switch (which) {
  case 0:
    return std::floor(x);
  case 1:
    return std::ceil(x);
  case 2:
    return std::trunc(x);
  case 3:
    return std::round(x);
  case 4:
    return std::nearbyint(x);
  case 5:
    return x - std::floor(x);
  case 6:
    return x > 0 ? T(1) : x < 0 ? T(-1) : x;
  case 7:
    return most(x, T(0));
  default:
    return std::sqrt(x);
  }
}

template <class T> T ofTwo(T a, T b, std::size_t which) {
  switch (which) {
  case 0:
    return std::copysign(a, b);
  case 1:
    return b < a ? T(0) : T(1);
  case 2:
    return clamp(a, T(-1.5), b);
  default:
    return a < b ? a : T(7);
  }
}

template <class T> T smoothstep(T lo, T hi, T x) {
  const T t = clamp((x - lo) / (hi - lo), T(0), T(1));
  return t * t * std::fma(T(-2), t, T(3));
}

template <class T> T ofThree(T a, T b, std::size_t which) {
  switch (which) {
  case 0:
    return std::fma(T(0.3L), b, std::fma(-T(0.3L), a, a));
  case 1:
    return smoothstep(a, b, T(0.7L));
  default:
    return smoothstep(T(-2.5), T(5.25), a);
  }
}

} // namespace

TEST(ExactFunctions, OfOneOperand) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"exact-functions.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      for (std::size_t n : {std::size_t(33), std::size_t(20011)}) {
        const auto a = roundable<T>(n);
        std::vector<T> out(n * 9);
        build.run("of_one", {.global = {std::int64_t(n)}}, a, out);
        expectFields(out, 9, [&](auto i, auto k) { return ofOne(a[i], k); }, name);
      }
    });
  });
}

TEST(ExactFunctions, OfTwoAndThreeOperands) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"exact-functions.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 20011;
      const auto [a, b] = pairs<T>(n);
      std::vector<T> out(n * 4);
      build.run("of_two", {.global = {std::int64_t(n)}}, a, b, out);
      expectFields(out, 4, [&](auto i, auto k) { return ofTwo(a[i], b[i], k); }, name);
      out.resize(n * 3);
      build.run("of_three", {.global = {std::int64_t(n)}}, a, b, out);
      expectFields(out, 3, [&](auto i, auto k) { return ofThree(a[i], b[i], k); }, name);
    });
  });
}

TEST(ExactFunctions, Classes) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"exact-functions.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 20011;
      auto a = inputs<T>(n, 3);
      a[5] = -std::numeric_limits<T>::quiet_NaN();
      std::vector<unsigned char> out(n * 4);
      build.run("classes", {.global = {std::int64_t(n)}}, std::as_const(a), Bools{out});
      expectFields(
          out, 4,
          [&](auto i, auto k) {
            const bool results[] = {std::isnan(a[i]), std::isinf(a[i]), std::isfinite(a[i]),
                                    std::signbit(a[i])};
            return results[k];
          },
          name);
    });
  });
}

// A subnormal result is rounded once. An exponent may be any integer.
TEST(ExactFunctions, Ldexp) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    forEachBuild({"exact-functions.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      const std::size_t n = 200003;
      std::mt19937_64 generator(5);
      const auto a = inputs<T>(n, 9);
      std::vector<std::int32_t> counts(n);
      const std::int32_t extremes[] = {0,    1,    -1,   127,   128,        -126,
                                       -127, 1023, 1024, -1022, 2147483647, -2147483647 - 1};
      for (std::size_t i = 0; i != n; ++i)
        counts[i] = i % 5 == 0 ? extremes[i / 5 % std::size(extremes)]
                               : static_cast<std::int32_t>(generator() % 4401) - 2200;
      std::vector<T> out(n);
      build.run("scaled", {.global = {std::int64_t(n)}}, a, std::as_const(counts), out);
      expectEach(out, [&](auto i) { return std::ldexp(a[i], counts[i]); }, name);
    });
  });
}
