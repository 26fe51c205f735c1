// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

constexpr int Lanes = 32;

/// Follows consecutive points at once, until all have escaped. A point that has escaped does not
/// come back.
void escapeSteps(const float (&cx)[Lanes], float cy, std::int32_t limit,
                 std::int32_t (&steps)[Lanes]) {
  float x[Lanes] = {}, y[Lanes] = {};
  std::fill_n(steps, Lanes, 0);
  for (std::int32_t step = 0, inside = 1; step < limit && inside > 0; ++step) {
    inside = 0;
#pragma omp simd reduction(+ : inside)
    for (int i = 0; i < Lanes; ++i) {
      const float xx = x[i] * x[i], yy = y[i] * y[i];
      const std::int32_t isInside = xx + yy <= 4 ? 1 : 0;
      y[i] = 2 * x[i] * y[i] + cy;
      x[i] = xx - yy + cx[i];
      steps[i] += isInside;
      inside += isInside;
    }
  }
}

void twin(std::int64_t side, std::int32_t limit, std::int32_t *out) {
  const float scale = 3 / float(side);
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t row = 0; row < side; ++row)
    for (std::int64_t first = 0; first < side; first += Lanes) {
      float cx[Lanes];
      std::int32_t steps[Lanes];
      for (int i = 0; i < Lanes; ++i)
        cx[i] = (float(first + i) + 0.5f) * scale - 2.2f;
      escapeSteps(cx, (float(row) + 0.5f - float(side) * 0.5f) * scale, limit, steps);
      std::copy_n(steps, std::min<std::int64_t>(Lanes, side - first), out + row * side + first);
    }
}

} // namespace

void mandelbrot(Case &c) {
  const std::int64_t side = c.size(2048, 45);
  const std::int32_t limit = 500;
  auto out = c.zeros<std::int32_t>(side * side), outTwin = c.zeros<std::int32_t>(side * side),
       outCl = c.zeros<std::int32_t>(side * side);
  const spl::Kernel kernel = c.load("examples/mandelbrot.spl")["mandelbrot"];
  const auto kernelCl = c.loadOpenCl("mandelbrot.cl", "mandelbrot");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {side, side}}, side, side, limit, out); },
             .twin = [&] { twin(side, limit, host(outTwin)); },
             // Products are fused differently, which decides at the border of the set.
             .compare = [&] { c.expectNear("out", out, outTwin, 0, 1, 0.02); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {side, side}, .local = {16, 16}},
                            std::int32_t(side), std::int32_t(side), limit, outCl);
                 },
             .compareOpenCl = [&] { c.expectNear("out", out, outCl, 0, 1, 0.02); }});
}

} // namespace bench::examples
