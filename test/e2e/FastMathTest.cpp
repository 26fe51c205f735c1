// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests math.fast.* against functions of f64. For f32 the tolerance is the error of hardware, for
// f64 a few ulp.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

using Function = double (*)(double);
const Function functions[] = {
    [](double x) { return std::sqrt(x); },
    [](double x) { return 1 / std::sqrt(x); },
    [](double x) { return std::exp(x); },
    [](double x) { return std::exp2(x); },
    [](double x) { return std::pow(10, x / 2); },
    [](double x) { return std::log(x); },
    [](double x) { return std::log2(x); },
    [](double x) { return std::log10(x); },
    [](double x) { return std::sin(x / 16); },
    [](double x) { return std::cos(x / 16); },
    [](double x) { return std::tan(x / 64); },
    [](double x) { return std::tanh(x / 8); },
    [](double x) { return std::pow(x, 1.5); },
};
constexpr std::size_t count = std::size(functions);

template <class T> void test(const char *kernel, std::size_t shift, double tolerance) {
  const bool isDouble = sizeof(T) == 8;
  std::vector<std::pair<std::string, std::string>> replacements;
  if (isDouble)
    replacements = {{"f32", "f64"}, {"f32x2", "f64x2"}};
  forEachBuild({"fast-math.spl", replacements}, extremeOptions(), [&](const Build &build) {
    constexpr std::size_t n = 37;
    std::vector<T> a(n), out(count * n);
    for (std::size_t i = 0; i != n; ++i)
      a[i] = T(0.25) + static_cast<T>(i * 7 % n) * T(0.625);
    build.run(kernel, {.global = {n}}, a, Shaped(out, {count, n}));
    for (std::size_t k = 0; k != count; ++k)
      for (std::size_t i = 0; i != n; ++i) {
        const double exact = functions[k](double(a[(i + shift) % n]));
        EXPECT_NEAR(out[k * n + i], exact, tolerance * std::max(std::abs(exact), 1.0))
            << kernel << " " << k << " of " << a[(i + shift) % n];
      }
  });
}

} // namespace

TEST(FastMath, IsAboutTheFunctions) {
  test<float>("fast", 0, 1e-5);
  test<double>("fast", 0, 1e-14);
}

TEST(FastMath, GoesLaneByLane) {
  test<float>("fast_lanes", 1, 1e-5);
  test<double>("fast_lanes", 1, 1e-14);
}
