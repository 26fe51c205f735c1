// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Block = 32;

/// Subtracts `factors` times a row from another one, for up to Block rows above.
inline void subtractRows(float *a, std::int64_t n, std::int64_t row, std::int64_t first,
                         std::int64_t end, std::int64_t left) {
  std::int64_t k = first;
  float *out = a + row * n;
  for (; k + 4 <= end; k += 4) {
    const float *x = out + k, *y = a + k * n;
    const float x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
#pragma omp simd
    for (std::int64_t j = left; j < n; ++j)
      out[j] -= x0 * y[j] + x1 * y[n + j] + x2 * y[2 * n + j] + x3 * y[3 * n + j];
  }
  for (; k < end; ++k) {
    const float *y = a + k * n, x = out[k];
#pragma omp simd
    for (std::int64_t j = left; j < n; ++j)
      out[j] -= x * y[j];
  }
}

/// Blocks of columns from the left: the factors of a block, the rows to its right, and then all
/// that is below and to the right.
void twin(float *a, std::int64_t n) {
#pragma omp parallel
  for (std::int64_t first = 0; first < n; first += Block) {
    const std::int64_t end = std::min(first + Block, n);
#pragma omp single
    for (std::int64_t k = first; k < end; ++k)
      for (std::int64_t i = k + 1; i < n; ++i) {
        const float factor = a[i * n + k] /= a[k * n + k];
        for (std::int64_t j = k + 1; j < end; ++j)
          a[i * n + j] -= factor * a[k * n + j];
      }
#pragma omp single
    for (std::int64_t i = first + 1; i < end; ++i)
      subtractRows(a, n, i, first, i, end);
#pragma omp for
    for (std::int64_t i = end; i < n; ++i)
      subtractRows(a, n, i, first, end, end);
  }
}

} // namespace

void lud(Case &c) {
  constexpr std::int64_t Tile = 16; // of the kernels
  const std::int64_t n = c.size(512, 45);
  auto matrix = c.uniform({n, n}, -1.0f, 1.0f);
  for (std::int64_t i = 0; i < n; ++i)
    host(matrix)[i * n + i] += float(n) / 2;
  auto a = c.copy(matrix), aTwin = c.copy(matrix);
  const spl::Module kernels = c.load("programs/lud/lud.spl");
  c.restoreBefore([&] {
    matrix.copyTo(a);
    matrix.copyTo(aTwin);
  });
  const auto ours = [&] {
    for (std::int64_t first = 0; first < n; first += Tile) {
      const auto at = static_cast<std::int32_t>(first);
      const std::int64_t tiles = (n - first - 1) / Tile; // beyond that of the diagonal
      c.launch(kernels["diagonal"], {.global = {Tile, Tile}, .local = {Tile, Tile}}, a, at);
      if (tiles == 0)
        break;
      c.launch(kernels["perimeter"], {.global = {tiles * Tile, 2}, .local = {Tile, 2}}, a, at);
      c.launch(kernels["internal"], {.global = {tiles * Tile, tiles * Tile}, .local = {Tile, Tile}},
               a, at);
    }
  };
  c.measure({.ours = ours,
             .twin = [&] { twin(host(aTwin), n); },
             .compare = [&] { c.expectNear("lu", a, aTwin, 2e-5); }});
}

} // namespace bench::programs
