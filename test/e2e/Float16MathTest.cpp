// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests math functions of f16 and bf16, which compute in f32 and round once. The reference is the
// host's function of f64, rounded once. If the exact result is close to the middle between two
// numbers, the error of f32 may give the other one, which is also allowed.
#include "test/e2e/Float16.h"

#include <array>

using namespace spl::e2e;

namespace {

double gelu(double x) { return x == -INFINITY ? -0.0 : 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }

double fraction(double x) { return static_cast<float>(x) - std::floor(static_cast<float>(x)); }

std::array<double, 32> functions(double x) {
  const bool isPole = x < 0 && x == std::floor(x);
  return {1 / std::sqrt(x),
          std::cbrt(x),
          std::exp(x),
          std::exp2(x),
          std::pow(10.0, x),
          std::expm1(x),
          std::log(x),
          std::log2(x),
          std::log10(x),
          std::log1p(x),
          std::sin(x),
          std::cos(x),
          std::tan(x),
          std::asin(x),
          std::acos(x),
          std::atan(x),
          std::sinh(x),
          std::cosh(x),
          std::tanh(x),
          std::asinh(x),
          std::acosh(x),
          std::atanh(x),
          std::erf(x),
          std::erfc(x),
          isPole ? NAN : std::tgamma(x),
          std::lgamma(x),
          1 / (1 + std::exp(-x)),
          gelu(x),
          fraction(x),
          std::sin(x),
          std::cos(x),
          x > 0 ? x : 0};
}

std::array<double, 6> functionsOfTwo(double x, double y, std::size_t i) {
  return {std::atan2(x, y),
          std::pow(x, y),
          std::hypot(x, y),
          std::pow(x, y),
          std::ldexp(x, int(i % 600) - 300),
          std::fma(0.25F, float(y), std::fma(-0.25F, float(x), float(x)))};
}

/// The number of steps between two values of the type. NaN is infinitely far from every other
/// value.
template <class Half> long distance(Half a, Half b) {
  if (isNan(a) || isNan(b))
    return isNan(a) && isNan(b) ? 0 : 1 << 16;
  auto place = [](Half half) -> long {
    return half.bits & 0x8000 ? -long(half.bits & 0x7fff) : half.bits;
  };
  return std::abs(place(a) - place(b));
}

/// Checks that every result is correct or adjacent to the correct one, and that few are adjacent.
template <std::size_t N, class Half, class F>
void expectClose(const std::vector<Half> &actual, F &&expected) {
  const std::size_t count = actual.size() / N;
  std::array<std::size_t, N> beside{};
  int reported = 0;
  for (std::size_t i = 0; i != count; ++i) {
    const std::array<double, N> record = expected(i);
    for (std::size_t k = 0; k != N; ++k) {
      const Half want = rounded<Half>(llvm::APFloat(record[k])), got = actual[i * N + k];
      const long apart = distance(got, want);
      beside[k] += apart == 1;
      if (apart > 1 && reported++ < 10)
        ADD_FAILURE() << "function " << k << " of element " << i << " is " << shown(got)
                      << ", not " << shown(want);
    }
  }
  for (std::size_t k = 0; k != N; ++k)
    EXPECT_LE(beside[k], count / 400) << "function " << k;
}

} // namespace

TEST(HalfMath, EveryValue) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const std::vector<Half> a = everyValue<Half>();
        std::vector<Half> out(a.size() * 32);
        build.run("functions", {.global = {std::int64_t(a.size())}}, a, out);
        expectClose<32>(out, [&](std::size_t i) {
          return functions(static_cast<float>(a[i]));
        });
      },
      "float16-math.spl", extremeOptions());
}

TEST(HalfMath, PairsOfOperands) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const auto [a, b] = operands<Half, 2>(20011);
        std::vector<Half> out(a.size() * 6);
        build.run("functions_of_two", {.global = {std::int64_t(a.size())}}, a, b, out);
        expectClose<6>(out, [&](std::size_t i) {
          return functionsOfTwo(static_cast<float>(a[i]), static_cast<float>(b[i]), i);
        });
      },
      "float16-math.spl", extremeOptions());
}

TEST(HalfMath, Classes) {
  forEachHalf(
      []<class Half>(Half, const Build &build) {
        const std::vector<Half> a = everyValue<Half>();
        std::vector<std::uint8_t> out(a.size());
        build.run("classes", {.global = {std::int64_t(a.size())}}, a, out);
        expectEach(
            out,
            [&](std::size_t i) {
              const llvm::APFloat x = exact(a[i]);
              return x.isNaN() + 2 * x.isInfinity() + 4 * x.isFinite() + 8 * x.isNegative();
            },
            "classes");
      },
      "float16-math.spl", extremeOptions());
}
