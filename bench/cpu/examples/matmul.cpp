// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

constexpr std::int64_t Rows = 4, Columns = 64; // of a tile of the product, in registers
constexpr std::int64_t Inner = 256, Block = 64;

/// Part of an axis, from first to end.
struct Range {
  std::int64_t first, end;
};

/// Adds the products of some columns of a and rows of b to a tile.
inline void addToTile(const float *a, const float *b, float *c, std::int64_t n, Range inner) {
  float sum[Rows][Columns];
  for (std::int64_t i = 0; i < Rows; ++i)
    std::copy_n(c + i * n, Columns, sum[i]);
  for (std::int64_t k = inner.first; k < inner.end; ++k)
#pragma clang loop unroll(full)
    for (std::int64_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
      for (std::int64_t j = 0; j < Columns; ++j)
        sum[i][j] += a[i * n + k] * b[k * n + j];
  for (std::int64_t i = 0; i < Rows; ++i)
    std::copy_n(sum[i], Columns, c + i * n);
}

/// The same for what remains at the edges, of any size.
void addToRest(const float *a, const float *b, float *c, std::int64_t n, Range inner,
               std::int64_t rows, std::int64_t cols) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = inner.first; k < inner.end; ++k)
      for (std::int64_t j = 0; j < cols; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/// Blocked for the caches and the registers.
void twin(const float *a, const float *b, float *c, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t block = 0; block < n; block += Block) {
    const std::int64_t bottom = std::min(block + Block, n);
    std::fill(c + block * n, c + bottom * n, 0.0f);
    for (std::int64_t first = 0; first < n; first += Inner)
      for (std::int64_t left = 0; left < n; left += Columns)
        for (std::int64_t top = block; top < bottom; top += Rows) {
          const std::int64_t rows = std::min(Rows, n - top), cols = std::min(Columns, n - left);
          const Range inner{first, std::min(first + Inner, n)};
          const float *x = a + top * n, *y = b + left;
          float *tile = c + top * n + left;
          if (rows == Rows && cols == Columns)
            addToTile(x, y, tile, n, inner);
          else
            addToRest(x, y, tile, n, inner, rows, cols);
        }
  }
}

void measure(Case &c, const spl::Kernel &kernel, const char *nameCl, std::int64_t n) {
  const auto kernelCl = c.loadOpenCl("matmul.cl", nameCl);
  const auto a = c.uniform({n, n}, -1.0f, 1.0f), b = c.uniform({n, n}, -1.0f, 1.0f);
  auto product = c.zeros<float>({n, n}), productTwin = c.zeros<float>({n, n}),
       productCl = c.zeros<float>({n, n});
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n, n}}, a, b, product); },
             .twin = [&] { twin(host(a), host(b), host(productTwin), n); },
             .compare =
                 [&] { c.expectNear("product", product, productTwin, 1e-5, std::sqrt(double(n))); },
             .openCl =
                 [&] {
                   c.launch(kernelCl, {.global = {n, n}, .local = {16, 16}}, a, b, productCl,
                            std::int32_t(n));
                 },
             .compareOpenCl =
                 [&] { c.expectNear("product", product, productCl, 1e-5, std::sqrt(double(n))); }});
}

void naive(Case &c, std::int64_t n) {
  measure(c, c.load("bench/cpu/kernels.spl")["matmul_naive"], "matmul_naive", n);
}
void tiled(Case &c, std::int64_t n) {
  measure(c, c.load("examples/matmul.spl")["matmul"], "matmul_tiled", n);
}

} // namespace

void naiveMatmul512(Case &c) { naive(c, c.size(512, 101)); }
void naiveMatmul1024(Case &c) { naive(c, c.size(1024, 101)); }
void tiledMatmul512(Case &c) { tiled(c, c.size(512, 101)); }
void tiledMatmul1024(Case &c) { tiled(c, c.size(1024, 101)); }

} // namespace bench::examples
