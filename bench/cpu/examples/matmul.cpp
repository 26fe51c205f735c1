// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

/// Blocked. A block of b stays in the cache, and four rows of it are added to a row of c at once.
void twin(const float *a, const float *b, float *c, std::int64_t n) {
  constexpr std::int64_t Block = 64, Columns = 256;
#pragma omp parallel for
  for (std::int64_t top = 0; top < n; top += Block) {
    const std::int64_t bottom = std::min(top + Block, n);
    std::fill(c + top * n, c + bottom * n, 0.0f);
    for (std::int64_t left = 0; left < n; left += Columns)
      for (std::int64_t first = 0; first < n; first += Block) {
        const std::int64_t right = std::min(left + Columns, n), end = std::min(first + Block, n);
        for (std::int64_t i = top; i < bottom; ++i) {
          std::int64_t k = first;
          for (; k + 4 <= end; k += 4) {
            const float *x = a + i * n + k, *y = b + k * n;
#pragma omp simd
            for (std::int64_t j = left; j < right; ++j)
              c[i * n + j] +=
                  x[0] * y[j] + x[1] * y[n + j] + x[2] * y[2 * n + j] + x[3] * y[3 * n + j];
          }
          for (; k < end; ++k)
#pragma omp simd
            for (std::int64_t j = left; j < right; ++j)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
      }
  }
}

void measure(Case &c, const spl::Kernel &kernel, std::int64_t n) {
  const auto a = c.uniform({n, n}, -1.0f, 1.0f), b = c.uniform({n, n}, -1.0f, 1.0f);
  auto product = c.zeros<float>({n, n}), productTwin = c.zeros<float>({n, n});
  c.measure(
      {.ours = [&] { c.launch(kernel, {.global = {n, n}}, a, b, product); },
       .twin = [&] { twin(host(a), host(b), host(productTwin), n); },
       .compare =
           [&] { c.expectNear("product", product, productTwin, 1e-5, std::sqrt(double(n))); }});
}

void naive(Case &c, std::int64_t n) {
  measure(c, c.load("bench/cpu/kernels.spl")["matmul_naive"], n);
}
void tiled(Case &c, std::int64_t n) { measure(c, c.load("examples/matmul.spl")["matmul"], n); }

} // namespace

void naiveMatmul512(Case &c) { naive(c, c.size(512, 35)); }
void naiveMatmul1024(Case &c) { naive(c, c.size(1024, 35)); }
void tiledMatmul512(Case &c) { tiled(c, c.size(512, 35)); }
void tiledMatmul1024(Case &c) { tiled(c, c.size(1024, 35)); }

} // namespace bench::examples
