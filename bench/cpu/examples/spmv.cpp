// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

struct Matrix {
  std::vector<std::int32_t> starts = {0}, columns;
  std::vector<float> values;
};

/// The Laplacian of the points of a square.
Matrix laplacian(std::int32_t side) {
  Matrix matrix;
  const auto add = [&](std::int32_t y, std::int32_t x, float value) {
    if (y < 0 || x < 0 || y >= side || x >= side)
      return;
    matrix.columns.push_back(y * side + x);
    matrix.values.push_back(value);
  };
  for (std::int32_t y = 0; y < side; ++y)
    for (std::int32_t x = 0; x < side; ++x) {
      add(y - 1, x, -1);
      add(y, x - 1, -1);
      add(y, x, 4);
      add(y, x + 1, -1);
      add(y + 1, x, -1);
      matrix.starts.push_back(static_cast<std::int32_t>(matrix.columns.size()));
    }
  return matrix;
}

/// One row an iteration.
void twin(const Matrix &matrix, const float *x, float *y) {
  const auto rows = static_cast<std::int64_t>(matrix.starts.size()) - 1;
  const std::int32_t *starts = matrix.starts.data(), *columns = matrix.columns.data();
  const float *values = matrix.values.data();
#pragma omp parallel for
  for (std::int64_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::int32_t k = starts[row]; k < starts[row + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

} // namespace

void spmv(Case &c) {
  const auto side = static_cast<std::int32_t>(c.size(1024, 33));
  const std::int64_t rows = std::int64_t(side) * side;
  const Matrix matrix = laplacian(side);
  const auto starts = c.context().allocUpload(matrix.starts),
             columns = c.context().allocUpload(matrix.columns);
  const auto values = c.context().allocUpload(matrix.values);
  const auto x = c.uniform(rows, -1.0f, 1.0f);
  auto y = c.zeros<float>(rows), yTwin = c.zeros<float>(rows), yCl = c.zeros<float>(rows);
  const spl::Kernel kernel = c.load("examples/spmv.spl")["spmv"];
  const auto kernelCl = c.loadOpenCl("spmv.cl", "spmv");
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {32 * rows}}, starts, columns, values, x, y); },
       .twin = [&] { twin(matrix, host(x), host(yTwin)); },
       .compare = [&] { c.expectNear("y", y, yTwin, 1e-5); },
       .openCl =
           [&] {
             c.launch(kernelCl, {.global = {32 * rows}, .local = {256}}, starts, columns, values, x,
                      yCl, std::int32_t(rows));
           },
       .compareOpenCl = [&] { c.expectNear("y", y, yCl, 1e-5); }});
}

} // namespace bench::examples
