// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The well-known kernels of examples/ that compute: option prices, moves of bodies and clusters,
// random numbers, images.
#include "test/e2e/Examples.h"

using namespace spl;
using namespace spl::e2e;

namespace {

template <class T>
void testBlackScholes(const Build &build, const std::string &kernel, double tolerance) {
  const std::size_t n = 301;
  std::vector<T> spot(n), strike(n), years(n), call(n, -1), put(n, -1);
  std::vector<double> expectedCall(n), expectedPut(n);
  const T rate = T(0.02), volatility = T(0.3);
  auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  for (std::size_t i = 0; i != n; ++i) {
    spot[i] = T(5 + (i * 7) % 26);
    strike[i] = T(1 + (i * 13) % 100);
    years[i] = T(0.25 + double(i % 39) / 4);
    const double s = spot[i], k = strike[i], t = years[i], r = rate, v = volatility;
    const double d1 = (std::log(s / k) + (r + v * v / 2) * t) / (v * std::sqrt(t));
    const double d2 = d1 - v * std::sqrt(t);
    expectedCall[i] = s * cdf(d1) - k * std::exp(-r * t) * cdf(d2);
    expectedPut[i] = k * std::exp(-r * t) * cdf(-d2) - s * cdf(-d1);
  }
  build.run(kernel, {.global = {std::int64_t(n)}, .local = {64}}, std::as_const(spot),
            std::as_const(strike), std::as_const(years), call, put, rate, volatility);
  expectNear(call, expectedCall, tolerance, "call");
  expectNear(put, expectedPut, tolerance, "put");
}

template <class T> void testTranspose(const Build &build, const std::string &kernel) {
  for (const auto &[rows, cols] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {33, 70}, {64, 31}}) {
    const auto src = inputs<T>(rows * cols, 9);
    std::vector<T> dst(src.size());
    const std::int64_t tiles[] = {(cols + 31) / 32, (rows + 31) / 32};
    build.run(kernel, {.global = {tiles[0] * 32, tiles[1] * 8}, .local = {32, 8}},
              Shaped(src, {rows, cols}), Shaped(dst, {cols, rows}));
    expectEach(dst, [&](auto i) { return src[i % rows * cols + i / rows]; }, "transposed");
  }
}

} // namespace

TEST(Numerics, BlackScholes) {
  forEachBuild(example("black_scholes.spl"),
               extremeOptions({"black_scholes[f32]", "black_scholes[f64]"}), [](const Build &build) {
                 testBlackScholes<float>(build, "black_scholes[f32]", 2e-5);
                 testBlackScholes<double>(build, "black_scholes[f64]", 1e-13);
               });
}

TEST(Numerics, Transpose) {
  forEachBuild(example("transpose.spl"), extremeOptions({"transpose[f32]", "transpose[u8]"}),
               [](const Build &build) {
                 testTranspose<float>(build, "transpose[f32]");
                 testTranspose<std::uint8_t>(build, "transpose[u8]");
               });
}
