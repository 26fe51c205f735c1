// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <array>

namespace programs {
namespace {

constexpr std::int64_t Radius = 8;

struct Filter {
  std::array<float, 2 * Radius + 1> weights;
};

using Matrix = std::vector<float>;

float pixel(const Matrix &image, std::int64_t rows, std::int64_t cols, std::int64_t y,
            std::int64_t x) {
  return 0 <= y && y < rows && 0 <= x && x < cols ? image[y * cols + x] : 0.0f;
}

/// Convolves with the product of the filter with itself, which has two axes.
Matrix reference(const Matrix &image, std::int64_t rows, std::int64_t cols, const Filter &filter) {
  Matrix result;
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < cols; ++x) {
      double sum = 0;
      for (std::int64_t dy = -Radius; dy <= Radius; ++dy)
        for (std::int64_t dx = -Radius; dx <= Radius; ++dx)
          sum += double(filter.weights[dy + Radius]) * filter.weights[dx + Radius] *
                 pixel(image, rows, cols, y + dy, x + dx);
      result.push_back(static_cast<float>(sum));
    }
  return result;
}

} // namespace

void convolution(Run &run) {
  constexpr std::int64_t Steps = 4; // of the kernels: pixels of a work-item
  const auto rows = static_cast<std::int64_t>(run.scaledSide(101));
  const auto cols = static_cast<std::int64_t>(run.scaledSide(149));
  Matrix image(rows * cols);
  for (float &value : image)
    value = run.between(-1.0f, 1.0f);
  Filter filter;
  for (float &weight : filter.weights)
    weight = run.between(-0.5f, 1.0f);

  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();
  const auto src = context.allocUpload(image, {rows, cols});
  auto half = context.alloc<float>({rows, cols});
  auto dst = context.alloc<float>({rows, cols});
  run.launch(kernels["convolve_rows"], {.global = {(cols + Steps - 1) / Steps, rows}}, src, filter,
             half);
  run.launch(kernels["convolve_columns"], {.global = {cols, (rows + Steps - 1) / Steps}}, half,
             filter, dst);
  // Sums of 289 products, each below 1: the rounding errors of float add up to less than 1e-5.
  run.expectNear("pixels", dst.download(), reference(image, rows, cols, filter), 1e-5);
}

} // namespace programs
