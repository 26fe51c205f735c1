// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

struct Norm {
  const float *gain, *bias;
  float epsilon;
};

void twin(const float *src, const Norm &norm, float *dst, std::int64_t rows, std::int64_t cols) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < rows; ++row) {
    const float *x = src + row * cols;
    float *y = dst + row * cols;
    float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < cols; ++i)
      sum += x[i];
    const float mean = sum / float(cols);
#pragma omp simd reduction(+ : squares)
    for (std::int64_t i = 0; i < cols; ++i)
      squares += (x[i] - mean) * (x[i] - mean);
    const float scale = 1 / std::sqrt(squares / float(cols) + norm.epsilon);
#pragma omp simd
    for (std::int64_t i = 0; i < cols; ++i)
      y[i] = (x[i] - mean) * scale * norm.gain[i] + norm.bias[i];
  }
}

} // namespace

void layerNorm(Case &c) {
  const std::int64_t rows = c.size(4096, 7), cols = c.size(1024, 150);
  const float epsilon = 1e-5f;
  const auto src = c.uniform({rows, cols}, 0.0f, 1.0f);
  const auto gain = c.uniform(cols, 0.0f, 1.0f), bias = c.uniform(cols, 0.0f, 1.0f);
  auto dst = c.zeros<float>({rows, cols}), dstTwin = c.zeros<float>({rows, cols}),
       dstCl = c.zeros<float>({rows, cols});
  const spl::Kernel kernel = c.load("examples/layer_norm.spl")["layer_norm"];
  const auto kernelCl = c.loadOpenCl("layer_norm.cl", "layer_norm");
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {128 * rows}}, src, gain, bias, dst, epsilon); },
       .twin =
           [&] { twin(host(src), {host(gain), host(bias), epsilon}, host(dstTwin), rows, cols); },
       .compare = [&] { c.expectNear("dst", dst, dstTwin, 1e-4); },
       .openCl =
           [&] {
             c.launch(kernelCl, {.global = {128 * rows}, .local = {128}}, src, gain, bias, dstCl,
                      epsilon, std::int32_t(cols));
           },
       .compareOpenCl = [&] { c.expectNear("dst", dst, dstCl, 1e-4); }});
}

} // namespace bench::examples
