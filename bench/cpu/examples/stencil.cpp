// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

void twin(const float *src, float *dst, std::int64_t rows, std::int64_t cols, float rate) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < rows; ++row) {
    const float *here = src + row * cols;
    const float *above = src + std::max<std::int64_t>(row - 1, 0) * cols;
    const float *below = src + std::min(row + 1, rows - 1) * cols;
    float *out = dst + row * cols;
    const auto point = [&](std::int64_t left, std::int64_t i, std::int64_t right) {
      return here[i] + rate * (above[i] + below[i] + here[left] + here[right] - 4 * here[i]);
    };
    out[0] = point(0, 0, std::min<std::int64_t>(1, cols - 1));
#pragma omp simd
    for (std::int64_t i = 1; i < cols - 1; ++i)
      out[i] = here[i] + rate * (above[i] + below[i] + here[i - 1] + here[i + 1] - 4 * here[i]);
    out[cols - 1] = point(std::max<std::int64_t>(cols - 2, 0), cols - 1, cols - 1);
  }
}

} // namespace

void stencil(Case &c) {
  const std::int64_t rows = c.size(4096, 37), cols = c.size(4096, 45);
  const float rate = 0.1f;
  const auto src = c.uniform({rows, cols}, 0.0f, 1.0f);
  auto dst = c.zeros<float>({rows, cols}), dstTwin = c.zeros<float>({rows, cols}),
       dstCl = c.zeros<float>({rows, cols});
  const spl::Kernel kernel = c.load("examples/stencil.spl")["diffuse"];
  const auto kernelCl = c.loadOpenCl("stencil.cl", "diffuse");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {cols, rows}}, src, dst, rate); },
             .twin = [&] { twin(host(src), host(dstTwin), rows, cols, rate); },
             .compare = [&] { c.expectNear("dst", dst, dstTwin, 1e-6); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {cols, rows}, .local = {16, 16}}, src, dstCl,
                            std::int32_t(rows), std::int32_t(cols), rate);
                 },
             .compareOpenCl = [&] { c.expectNear("dst", dst, dstCl, 1e-6); }});
}

} // namespace bench::examples
