// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

void twin(float *a, float *b, std::int64_t n) {
#pragma omp parallel
  for (std::int64_t pivot = 0; pivot + 1 < n; ++pivot) {
    const float *top = a + pivot * n;
#pragma omp for
    for (std::int64_t row = pivot + 1; row < n; ++row) {
      float *mine = a + row * n;
      const float factor = mine[pivot] / top[pivot];
#pragma omp simd
      for (std::int64_t col = pivot; col < n; ++col)
        mine[col] -= factor * top[col];
      b[row] -= factor * b[pivot];
    }
  }
}

} // namespace

void gaussian(Case &c) {
  const std::int64_t n = c.size(512, 45);
  auto matrix = c.uniform({n, n}, -1.0f, 1.0f), right = c.uniform(n, -9.0f, 9.0f);
  for (std::int64_t i = 0; i < n; ++i)
    host(matrix)[i * n + i] += float(n);
  auto a = c.copy(matrix), b = c.copy(right), aTwin = c.copy(matrix), bTwin = c.copy(right);
  auto factor = c.zeros<float>(n);
  const spl::Module kernels = c.load("programs/gaussian/gaussian.spl");
  const spl::Kernel fan1 = kernels["fan1"], fan2 = kernels["fan2"];
  c.restoreBefore([&] {
    matrix.copyTo(a);
    matrix.copyTo(aTwin);
    right.copyTo(b);
    right.copyTo(bTwin);
  });
  c.measure({.ours =
                 [&] {
                   for (std::int64_t pivot = 0; pivot + 1 < n; ++pivot) {
                     const auto at = static_cast<std::int32_t>(pivot);
                     const std::int64_t rest = n - pivot;
                     c.launch(fan1, {.global = {rest - 1}, .local = {64}}, a, at, factor);
                     c.launch(fan2, {.global = {rest, rest - 1}}, factor, at, a, b);
                   }
                 },
             .twin = [&] { twin(host(aTwin), host(bTwin), n); },
             .compare =
                 [&] {
                   c.expectNear("a", a, aTwin, 1e-5);
                   c.expectNear("b", b, bTwin, 1e-5);
                 }});
}

} // namespace bench::programs
