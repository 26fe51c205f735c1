// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

template <typename T> T normalCdf(T x) {
  return T(0.5) * std::erfc(-x * T(0.70710678118654752440));
}

template <typename T> struct Options {
  const T *spot, *strike, *years;
  T *call, *put;
};

template <typename T> void twin(const Options<T> &options, T rate, T volatility, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) {
    const T spot = options.spot[i], strike = options.strike[i], years = options.years[i];
    const T root = std::sqrt(years);
    const T d1 = (std::log(spot / strike) + (rate + T(0.5) * volatility * volatility) * years) /
                 (volatility * root);
    const T d2 = d1 - volatility * root;
    const T discounted = strike * std::exp(-rate * years);
    const T call = spot * normalCdf(d1) - discounted * normalCdf(d2);
    options.call[i] = call;
    options.put[i] = call - spot + discounted;
  }
}

template <typename T>
void measure(Case &c, const char *kernelName, const char *optionsCl, double tolerance) {
  const std::int64_t n = c.size(4 << 20, 501);
  const T rate = T(0.02), volatility = T(0.3);
  const auto spot = c.uniform(n, T(0.5), T(1.5)), strike = c.uniform(n, T(0.5), T(1.5)),
             years = c.uniform(n, T(0.25), T(2));
  auto call = c.zeros<T>(n), put = c.zeros<T>(n), callTwin = c.zeros<T>(n), putTwin = c.zeros<T>(n),
       callCl = c.zeros<T>(n), putCl = c.zeros<T>(n);
  const spl::Kernel kernel = c.load("examples/black_scholes.spl", {kernelName})[kernelName];
  const auto kernelCl = c.loadOpenCl("black_scholes.cl", "black_scholes", optionsCl);
  c.measure({.ours =
                 [&] {
                   c.launch(kernel, {.global = {n}}, spot, strike, years, call, put, rate,
                            volatility);
                 },
             .twin =
                 [&] {
                   twin<T>({host(spot), host(strike), host(years), host(callTwin), host(putTwin)},
                           rate, volatility, n);
                 },
             .compare =
                 [&] {
                   c.expectNear("call", call, callTwin, tolerance);
                   c.expectNear("put", put, putTwin, tolerance);
                 },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {n}, .local = {256}}, spot, strike, years, callCl,
                            putCl, rate, volatility, std::int32_t(n));
                 },
             .compareOpenCl =
                 [&] {
                   c.expectNear("call", call, callCl, tolerance);
                   c.expectNear("put", put, putCl, tolerance);
                 }});
}

} // namespace

void blackScholesF32(Case &c) { measure<float>(c, "black_scholes[f32]", "-DREAL=float", 1e-5); }
void blackScholesF64(Case &c) { measure<double>(c, "black_scholes[f64]", "-DREAL=double", 1e-12); }

} // namespace bench::examples
