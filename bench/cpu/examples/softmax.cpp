// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

void twin(const float *src, float *dst, std::int64_t rows, std::int64_t cols) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < rows; ++row) {
    const float *x = src + row * cols;
    float *y = dst + row * cols;
    float peak = x[0], sum = 0;
#pragma omp simd reduction(max : peak)
    for (std::int64_t i = 0; i < cols; ++i)
      peak = std::fmax(peak, x[i]);
    for (std::int64_t i = 0; i < cols; ++i)
      y[i] = std::exp(x[i] - peak);
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < cols; ++i)
      sum += y[i];
#pragma omp simd
    for (std::int64_t i = 0; i < cols; ++i)
      y[i] /= sum;
  }
}

} // namespace

void softmax(Case &c) {
  const std::int64_t rows = c.size(4096, 7), cols = c.size(1024, 150);
  const auto src = c.uniform({rows, cols}, -3.0f, 3.0f);
  auto dst = c.zeros<float>({rows, cols}), dstTwin = c.zeros<float>({rows, cols}),
       dstCl = c.zeros<float>({rows, cols});
  const spl::Kernel kernel = c.load("examples/softmax.spl")["softmax"];
  const auto kernelCl = c.loadOpenCl("softmax.cl", "softmax");
  c.measure({.ours = [&] { c.launch(kernel, {.global = {256 * rows}, .local = {256}}, src, dst); },
             .twin = [&] { twin(host(src), host(dstTwin), rows, cols); },
             .compare = [&] { c.expectNear("dst", dst, dstTwin, 1e-7); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {256 * rows}, .local = {256}}, src, dstCl,
                            std::int32_t(cols));
                 },
             .compareOpenCl = [&] { c.expectNear("dst", dst, dstCl, 1e-7); }});
}

} // namespace bench::examples
