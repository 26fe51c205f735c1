// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests kernels of examples/ on arrays of rank 2 and on rows: products, stencils, softmax, sparse
// rows, shortest paths.
#include "test/e2e/Examples.h"

using namespace spl;
using namespace spl::e2e;

namespace {

std::vector<float> floats(std::size_t n, std::uint64_t seed) { return plainFloats<float>(n, seed); }

} // namespace

TEST(Matrices, TiledProduct) {
  const struct {
    std::int64_t rows, inner, cols;
  } shapes[] = {{1, 1, 1}, {17, 33, 5}, {37, 50, 41}, {16, 16, 16}};
  forEachBuild(example("matmul.spl"), extremeOptions(), [&](const Build &build) {
    for (const auto &[rows, inner, cols] : shapes) {
      const auto a = floats(rows * inner, 1), b = floats(inner * cols, 2);
      std::vector<float> c(rows * cols, -1);
      std::vector<double> expected(c.size());
      for (std::int64_t i = 0; i != rows; ++i)
        for (std::int64_t j = 0; j != cols; ++j)
          for (std::int64_t k = 0; k != inner; ++k)
            expected[i * cols + j] += double(a[i * inner + k]) * b[k * cols + j];
      build.run("matmul", {.global = {cols, rows}, .local = {16, 16}}, Shaped(a, {rows, inner}),
                Shaped(b, {inner, cols}), Shaped(c, {rows, cols}));
      expectNear(c, expected, 1e-4, "product");
    }
  });
}

TEST(Matrices, Stencil) {
  forEachBuild(example("stencil.spl"), extremeOptions(), [](const Build &build) {
    const std::int64_t rows = 19, cols = 45;
    const auto src = floats(rows * cols, 3);
    std::vector<float> dst(src.size(), -1);
    auto at = [&](std::int64_t row, std::int64_t col) {
      return src[std::clamp<std::int64_t>(row, 0, rows - 1) * cols +
                 std::clamp<std::int64_t>(col, 0, cols - 1)];
    };
    build.run("diffuse", {.global = {cols, rows}, .local = {16, 16}}, Shaped(src, {rows, cols}),
              Shaped(dst, {rows, cols}), 0.1F);
    expectEach(
        dst,
        [&](auto i) {
          const std::int64_t row = std::int64_t(i) / cols, col = std::int64_t(i) % cols;
          const float around =
              at(row - 1, col) + at(row + 1, col) + at(row, col - 1) + at(row, col + 1);
          return std::fma(0.1F, std::fma(-4.0F, at(row, col), around), at(row, col));
        },
        "stencil");
  });
}

TEST(Matrices, Softmax) {
  forEachBuild(example("softmax.spl"), extremeOptions(), [](const Build &build) {
    const std::int64_t rows = 5, cols = 203;
    auto src = floats(rows * cols, 4);
    src[7] = 300; // overflows unless the maximum is subtracted first
    std::vector<float> dst(src.size(), -1);
    std::vector<double> expected(src.size());
    for (std::int64_t row = 0; row != rows; ++row) {
      const float *x = &src[row * cols];
      const double peak = *std::max_element(x, x + cols);
      double total = 0;
      for (std::int64_t i = 0; i != cols; ++i)
        total += expected[row * cols + i] = std::exp(x[i] - peak);
      for (std::int64_t i = 0; i != cols; ++i)
        expected[row * cols + i] /= total;
    }
    build.run("softmax", {.global = {rows * 96}, .local = {96}},
              Shaped(std::as_const(src), {rows, cols}), Shaped(dst, {rows, cols}));
    expectNear(dst, expected, 1e-6, "softmax");
  });
}

TEST(Matrices, SparseRows) {
  forEachBuild(example("spmv.spl"), extremeOptions(), [](const Build &build) {
    const std::size_t rows = 77, cols = 130;
    const auto x = floats(cols, 8);
    std::vector<std::int32_t> starts = {0}, columns;
    std::vector<float> values;
    std::vector<double> expected(rows);
    for (std::size_t row = 0; row != rows; ++row) {
      for (std::size_t k = 0; k != row * 3 % 71; ++k) { // rows of 0 to 70 elements
        columns.push_back(static_cast<std::int32_t>((row * 11 + k * 7) % cols));
        values.push_back(static_cast<float>(k % 13) - 5.5F);
        expected[row] += double(values.back()) * x[columns.back()];
      }
      starts.push_back(static_cast<std::int32_t>(columns.size()));
    }
    std::vector<float> y(rows, -1);
    build.run("spmv", {.global = {std::int64_t(rows) * 32}, .local = {96}}, std::as_const(starts),
              std::as_const(columns), std::as_const(values), x, y);
    expectNear(y, expected, 1e-4, "y");
  });
}

TEST(Matrices, FloydWarshall) {
  forEachBuild(example("floyd_warshall.spl"), extremeOptions(), [](const Build &build) {
    const std::int64_t n = 21;
    std::vector<std::int32_t> distance(n * n, 0x3fffffff);
    for (std::int64_t i = 0; i != n; ++i) {
      distance[i * n + i] = 0;
      distance[i * n + (i + 1) % n] = std::int32_t(3 + i % 5);
      distance[i * n + (i * 4 + 2) % n] = std::int32_t(1 + i % 7);
    }
    std::vector<std::int32_t> expected = distance;
    for (std::int64_t k = 0; k != n; ++k)
      for (std::int64_t i = 0; i != n; ++i)
        for (std::int64_t j = 0; j != n; ++j)
          expected[i * n + j] =
              std::min(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
    for (std::int64_t k = 0; k != n; ++k)
      build.run("relax", {.global = {n, n}, .local = {16, 16}}, Shaped(distance, {n, n}), k);
    expectEach(distance, [&](auto i) { return expected[i]; }, "distance");
  });
}
