// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

constexpr float Alpha = 1e-3f;

void twin(float alpha, const float *x, float *y, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    y[i] += alpha * x[i];
}

void measure(Case &c, const spl::Kernel &kernel, const char *nameCl, std::int64_t n,
             std::int64_t items) {
  const auto kernelCl = c.loadOpenCl("saxpy.cl", nameCl);
  const auto x = c.uniform(n, 0.0f, 1.0f);
  auto y = c.uniform(n, 0.0f, 1.0f), yTwin = c.copy(y), yCl = c.copy(y);
  c.measure({.ours = [&] { c.launch(kernel, {.global = {items}}, Alpha, x, y); },
             .twin = [&] { twin(Alpha, host(x), host(yTwin), n); },
             .compare = [&] { c.expectNear("y", y, yTwin, 1e-6); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {items}, .local = {256}}, Alpha, x, yCl,
                            std::int32_t(n));
                 },
             .compareOpenCl = [&] { c.expectNear("y", y, yCl, 1e-6); }});
}

} // namespace

void saxpy(Case &c) {
  const std::int64_t n = c.size(16 << 20, 1001);
  measure(c, c.load("examples/saxpy.spl")["saxpy"], "saxpy", n, n);
}

void saxpyStride(Case &c) {
  const std::int64_t n = c.size(16 << 20, 1001);
  measure(c, c.load("bench/cpu/kernels.spl")["saxpy_stride"], "saxpy_stride", n,
          c.size(1 << 18, 256));
}

} // namespace bench::examples
