// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests float operators bit for bit. The references compute in a type with more than twice the
// digits and round once, which gives the correctly rounded result.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

/// A type with more than twice the digits of T.
template <class T> using Wider = std::conditional_t<std::is_same_v<T, float>, double, __float128>;

/// The minimum: the other operand if one is NaN, and -0 less than +0.
template <class T> T smaller(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T> T larger(T a, T b) { return -smaller<T>(-a, -b); }

/// std::fmod is exact. The remainder has the sign of the dividend.
template <class T> T remainder(T a, T b) { return std::fmod(a, b); }

template <class T> T arithmetic(T x, T y, std::size_t which) {
  using W = Wider<T>;
  switch (which) {
  case 0:
    return static_cast<T>(W(x) + W(y));
  case 1:
    return static_cast<T>(W(x) - W(y));
  case 2:
    return static_cast<T>(W(x) * W(y));
  case 3:
    return static_cast<T>(W(x) / W(y));
  case 4:
    return remainder(x, y);
  case 5:
    return std::copysign(x, std::signbit(x) ? T(1) : T(-1));
  case 6:
    return std::copysign(x, T(1));
  case 7:
    return smaller(x, y);
  case 8:
    return larger(x, y);
  default:
    return std::sqrt(x);
  }
}

template <class F> void forEachCase(std::span<const std::size_t> counts, F &&f) {
  forEachFloat([&](auto zero, const char *name) {
    forEachBuild({"floats.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      for (std::size_t n : counts)
        if (n <= build.sizes().back())
          f(zero, build, n);
    });
  });
}

} // namespace

TEST(Floats, ArithmeticIsCorrectlyRounded) {
  forEachCase(smallSizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto [a, b] = pairs<T>(n);
    std::vector<T> out(n * 10);
    build.run("arithmetic", {.global = {std::int64_t(n)}}, a, b, out);
    expectFields(out, 10, [&](auto i, auto k) { return arithmetic(a[i], b[i], k); }, "arithmetic");
  });
}

TEST(Floats, ArithmeticOfAPrimeAboveAMillion) {
  const std::size_t n = 1000003;
  const auto a = plainFloats<float>(n, 1), b = plainFloats<float>(n, 2);
  forEachBuild({"floats.spl"}, extremeOptions(), [&](const Build &build) {
    std::vector<float> out(n * 10);
    build.run("arithmetic", {.global = {std::int64_t(n)}}, a, b, out);
    expectFields(out, 10, [&](auto i, auto k) { return arithmetic(a[i], b[i], k); }, "arithmetic");
  });
}

TEST(Floats, ConstantsAreNotTurnedIntoInverses) {
  forEachCase(smallSizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto a = inputs<T>(n, 3);
    std::vector<T> out(n * 4);
    build.run("by_constants", {.global = {std::int64_t(n)}}, a, out);
    using W = Wider<T>;
    const T tenth = std::is_same_v<T, float> ? T(0.1F) : T(0.1);
    expectFields(
        out, 4,
        [&](auto i, auto k) {
          const W x = a[i];
          const W results[] = {x / 3, 1 / x, x * tenth, x - x};
          return static_cast<T>(results[k]);
        },
        "constants");
  });
}

TEST(Floats, FmaRoundsOnce) {
  forEachCase(smallSizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto [a, b] = pairs<T>(n);
    const auto c = inputs<T>(n, 4);
    std::vector<T> out(n);
    build.run("fused", {.global = {std::int64_t(n)}}, a, b, c, out);
    expectEach(out, [&](auto i) { return std::fma(a[i], b[i], c[i]); }, "fma");
  });
}

TEST(Floats, ComparisonsWithNanAreFalse) {
  forEachCase(smallSizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto [a, b] = pairs<T>(n);
    std::vector<unsigned char> out(n * 8, 2);
    build.run("compare", {.global = {std::int64_t(n)}}, a, b, Bools{out});
    expectFields(
        out, 8,
        [&](auto i, auto k) {
          const bool nan = std::isnan(a[i]) || std::isnan(b[i]);
          const bool less = !nan && Wider<T>(a[i]) - Wider<T>(b[i]) < 0;
          const bool equal = !nan && !less && a[i] == b[i];
          const bool results[] = {
              less,   less || equal, !nan && !less && !equal, !nan && !less, equal,
              !equal, !less,         !std::isnan(a[i])};
          return static_cast<unsigned char>(results[k]);
        },
        "comparison");
  });
}

TEST(Floats, CompoundAssignment) {
  forEachCase(smallSizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto [a, b] = pairs<T>(n);
    std::vector<T> out(n * 5);
    for (std::size_t i = 0; i != out.size(); ++i)
      out[i] = a[i / 5];
    build.run("compound", {.global = {std::int64_t(n)}}, a, b, out);
    expectFields(out, 5, [&](auto i, auto k) { return arithmetic(a[i], b[i], k); }, "compound");
  });
}

TEST(Floats, SumsKeepTheirOrder) {
  forEachCase(sizes, []<class T>(T, const Build &build, std::size_t n) {
    const auto a = plainFloats<T>(n, 6);
    std::vector<T> out(1);
    build.run("sum_in_order", {.global = {1}}, a, out);
    T total = 0;
    for (T value : a)
      total = static_cast<T>(Wider<T>(total) + Wider<T>(value));
    expectEach(out, [&](auto) { return total; }, "sum");
  });
}

TEST(Floats, Constants) {
  forEachFloat([](auto zero, const char *name) {
    using T = decltype(zero);
    const T infinity = std::numeric_limits<T>::infinity();
    // Decimal literals that are rounded once.
    const T expected[] = {static_cast<T>(3.14159265358979323846264338327950288L),
                          static_cast<T>(2.71828182845904523536028747135266250L),
                          static_cast<T>(6.28318530717958647692528676655900577L),
                          infinity,
                          -infinity,
                          std::numeric_limits<T>::quiet_NaN(),
                          std::is_same_v<T, float> ? T(0.1F) : T(0.1),
                          T(16777217),
                          std::is_same_v<T, float> ? T(1e-45F) : T(1e-45),
                          T(-0.0)};
    forEachBuild({"floats.spl", {{"f32", name}}}, everyOption(), [&](const Build &build) {
      std::vector<T> out(10, T(7));
      build.run("constants", {.global = {1}}, out);
      expectEach(out, [&](auto i) { return expected[i]; }, "constant");
    });
  });
}
