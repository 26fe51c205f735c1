// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

std::int32_t escapeSteps(float cx, float cy, std::int32_t limit) {
  float x = 0, y = 0;
  std::int32_t steps = 0;
  for (; steps < limit; ++steps) {
    const float xx = x * x, yy = y * y;
    if (xx + yy > 4)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  return steps;
}

void twin(std::int64_t side, std::int32_t limit, std::int32_t *out) {
  const float scale = 3 / float(side);
#pragma omp parallel for schedule(dynamic, 8)
  for (std::int64_t row = 0; row < side; ++row)
    for (std::int64_t column = 0; column < side; ++column)
      out[row * side + column] =
          escapeSteps((float(column) + 0.5f) * scale - 2.2f,
                      (float(row) + 0.5f - float(side) * 0.5f) * scale, limit);
}

} // namespace

void mandelbrot(Case &c) {
  const std::int64_t side = c.size(2048, 45);
  const std::int32_t limit = 500;
  auto out = c.zeros<std::int32_t>(side * side), outTwin = c.zeros<std::int32_t>(side * side);
  const spl::Kernel kernel = c.load("examples/mandelbrot.spl")["mandelbrot"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {side, side}}, side, side, limit, out); },
             .twin = [&] { twin(side, limit, host(outTwin)); },
             // Products are fused differently, which decides at the border of the set.
             .compare = [&] { c.expectNear("out", out, outTwin, 0, 1, 0.02); }});
}

} // namespace bench::examples
