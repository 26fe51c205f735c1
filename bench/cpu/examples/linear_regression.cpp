// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

using Sums = std::array<float, 3>;

Sums twin(const float *x, const float *y, const float *model, std::int64_t n) {
  float byWeight = 0, byBias = 0, square = 0;
  const float weight = model[0], bias = model[1];
#pragma omp parallel for simd reduction(+ : byWeight, byBias, square)
  for (std::int64_t i = 0; i < n; ++i) {
    const float off = weight * x[i] + bias - y[i];
    byWeight += off * x[i];
    byBias += off;
    square += off * off;
  }
  return {byWeight, byBias, square};
}

} // namespace

void linearRegression(Case &c) {
  const std::int64_t n = c.size(16 << 20, 1001);
  const auto x = c.uniform(n, 0.0f, 1.0f), y = c.uniform(n, 0.0f, 1.0f);
  const auto model = c.uniform(2, 0.5f, 1.0f);
  auto sums = c.zeros<float>(3), sumsTwin = c.zeros<float>(3);
  const spl::Kernel kernel = c.load("examples/linear_regression.spl")["gradient"];
  c.measure({.ours =
                 [&] {
                   sums.fill(0);
                   c.launch(kernel, {.global = {n}}, x, y, model, sums);
                 },
             .twin =
                 [&] {
                   const Sums found = twin(host(x), host(y), host(model), n);
                   std::ranges::copy(found, host(sumsTwin));
                 },
             .compare = [&] { c.expectNear("sums", sums, sumsTwin, 1e-2); }});
}

} // namespace bench::examples
