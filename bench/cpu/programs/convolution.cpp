// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Radius = 8, Taps = 2 * Radius + 1;

struct Filter {
  std::array<float, Taps> weights;
};

struct Size {
  std::int64_t rows, cols;
};

void convolveRows(const float *src, const Filter &filter, float *dst, Size size) {
#pragma omp parallel
  {
    std::vector<float> padded(size.cols + 2 * Radius);
#pragma omp for
    for (std::int64_t row = 0; row < size.rows; ++row) {
      std::copy_n(src + row * size.cols, size.cols, padded.data() + Radius);
      const float *from = padded.data();
      float *to = dst + row * size.cols;
#pragma omp simd
      for (std::int64_t col = 0; col < size.cols; ++col) {
        float sum = 0;
        for (std::int64_t k = 0; k < Taps; ++k)
          sum += filter.weights[k] * from[col + k];
        to[col] = sum;
      }
    }
  }
}

/// Adds whole rows, in blocks of columns that stay in the cache.
void convolveColumns(const float *src, const Filter &filter, float *dst, Size size) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < size.rows; ++row) {
    float *to = dst + row * size.cols;
    const std::int64_t first = std::max<std::int64_t>(0, Radius - row);
    const std::int64_t end = std::min(Taps, size.rows + Radius - row);
    std::fill_n(to, size.cols, 0.0f);
    for (std::int64_t k = first; k < end; ++k) {
      const float weight = filter.weights[k];
      const float *from = src + (row + k - Radius) * size.cols;
#pragma omp simd
      for (std::int64_t col = 0; col < size.cols; ++col)
        to[col] += weight * from[col];
    }
  }
}

} // namespace

void convolution(Case &c) {
  constexpr std::int64_t Steps = 4; // of the kernels: pixels of a work-item
  const Size size{c.size(2048, 67), c.size(2048, 83)};
  const spl::Shape shape{size.rows, size.cols};
  const auto src = c.uniform(shape, -1.0f, 1.0f);
  Filter filter;
  for (float &weight : filter.weights)
    weight = c.draw(-0.5f, 1.0f);
  auto half = c.zeros<float>(shape), halfTwin = c.zeros<float>(shape);
  auto dst = c.zeros<float>(shape), dstTwin = c.zeros<float>(shape);
  const spl::Module kernels = c.load("programs/convolution/convolution.spl");
  c.measure(
      {.ours =
           [&] {
             c.launch(kernels["convolve_rows"],
                      {.global = {(size.cols + Steps - 1) / Steps, size.rows}}, src, filter, half);
             c.launch(kernels["convolve_columns"],
                      {.global = {size.cols, (size.rows + Steps - 1) / Steps}}, half, filter, dst);
           },
       .twin =
           [&] {
             convolveRows(host(src), filter, host(halfTwin), size);
             convolveColumns(host(halfTwin), filter, host(dstTwin), size);
           },
       .compare = [&] { c.expectNear("dst", dst, dstTwin, 2e-5); }});
}

} // namespace bench::programs
