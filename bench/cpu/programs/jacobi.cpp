// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr int Steps = 20;

/// Returns the sum of the squares of the changes, which a second loop over the row adds.
float twinStep(const float *charge, const float *src, float *dst, std::int64_t rows,
               std::int64_t cols) {
  float change = 0;
#pragma omp parallel for reduction(+ : change)
  for (std::int64_t row = 1; row < rows - 1; ++row) {
    const float *here = src + row * cols, *above = here - cols, *below = here + cols;
    const float *added = charge + row * cols;
    float *out = dst + row * cols;
#pragma omp simd
    for (std::int64_t col = 1; col < cols - 1; ++col)
      out[col] = 0.25f * (above[col] + below[col] + here[col - 1] + here[col + 1] + added[col]);
    float mine = 0;
#pragma omp simd reduction(+ : mine)
    for (std::int64_t col = 1; col < cols - 1; ++col)
      mine += (out[col] - here[col]) * (out[col] - here[col]);
    change += mine;
  }
  return change;
}

} // namespace

/// With a fixed number of steps, so that both do equal work.
void jacobi(Case &c) {
  const std::int64_t n = c.size(1024, 37);
  const spl::Shape shape{n, n};
  const auto charge = c.uniform(shape, -0.1f, 0.1f), start = c.uniform(shape, -1.0f, 3.0f);
  auto a = c.copy(start), b = c.copy(start), aTwin = c.copy(start), bTwin = c.copy(start);
  auto change = c.zeros<float>(1), changeTwin = c.zeros<float>(1);
  const spl::Kernel kernel = c.load("programs/jacobi/jacobi.spl")["relax"];
  c.restoreBefore([&] {
    start.copyTo(a);
    start.copyTo(aTwin);
  });
  c.measure({.ours =
                 [&] {
                   auto *from = &a, *to = &b;
                   for (int step = 0; step < Steps; ++step, std::swap(from, to)) {
                     change.fill(0);
                     c.launch(kernel, {.global = {n - 2, n - 2}}, charge, *from, *to, change);
                   }
                 },
             .twin =
                 [&] {
                   float *from = host(aTwin), *to = host(bTwin);
                   for (int step = 0; step < Steps; ++step, std::swap(from, to))
                     host(changeTwin)[0] = twinStep(host(charge), from, to, n, n);
                 },
             .compare =
                 [&] {
                   c.expectNear("values", a, aTwin, 1e-5);
                   c.expectNear("change", change, changeTwin, 1e-2);
                 }});
}

} // namespace bench::programs
