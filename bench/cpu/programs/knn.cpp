// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Features = 19, Nearest = 6;

/// The nearest points so far, in order.
struct Best {
  float distances[Nearest];
  std::int32_t points[Nearest];

  Best() { std::fill_n(distances, Nearest, INFINITY); }
  void insert(float distance, std::int32_t point) {
    std::int64_t at = Nearest - 1;
    for (; at > 0 && distances[at - 1] > distance; --at) {
      distances[at] = distances[at - 1];
      points[at] = points[at - 1];
    }
    distances[at] = distance;
    points[at] = point;
  }
};

/// The points as columns, so that the distances of consecutive points are computed at once.
std::vector<float> transposed(const float *points, std::int64_t n) {
  std::vector<float> result(n * Features);
#pragma omp parallel for
  for (std::int64_t p = 0; p < n; ++p)
    for (std::int64_t f = 0; f < Features; ++f)
      result[f * n + p] = points[p * Features + f];
  return result;
}

void twin(const float *queries, std::int64_t count, const float *points, std::int64_t n,
          std::int32_t *indices, float *roots) {
  constexpr std::int64_t Block = 256;
  const std::vector<float> columns = transposed(points, n);
#pragma omp parallel for
  for (std::int64_t q = 0; q < count; ++q) {
    Best best;
    for (std::int64_t first = 0; first < n; first += Block) {
      float distances[Block] = {};
      const std::int64_t size = std::min(Block, n - first);
      for (std::int64_t f = 0; f < Features; ++f) {
        const float *column = &columns[f * n + first], at = queries[q * Features + f];
#pragma omp simd
        for (std::int64_t p = 0; p < size; ++p)
          distances[p] = std::fma(at - column[p], at - column[p], distances[p]);
      }
      for (std::int64_t p = 0; p < size; ++p)
        if (distances[p] < best.distances[Nearest - 1])
          best.insert(distances[p], static_cast<std::int32_t>(first + p));
    }
    for (std::int64_t k = 0; k < Nearest; ++k) {
      indices[q * Nearest + k] = best.points[k];
      roots[q * Nearest + k] = std::sqrt(best.distances[k]);
    }
  }
}

} // namespace

void knn(Case &c) {
  const std::int64_t count = c.size(256, 9), n = c.size(16'384, 301);
  const auto queries = c.uniform({count, Features}, -1.0f, 1.0f),
             points = c.uniform({n, Features}, -1.0f, 1.0f);
  auto matrix = c.zeros<float>({count, n});
  const spl::Shape shape{count, Nearest};
  auto indices = c.zeros<std::int32_t>(shape), indicesTwin = c.zeros<std::int32_t>(shape);
  auto roots = c.zeros<float>(shape), rootsTwin = c.zeros<float>(shape);
  const spl::Module kernels = c.load("programs/knn/knn.spl");
  c.measure(
      {.ours =
           [&] {
             c.launch(kernels["distances"], {.global = {n, count}}, queries, points, matrix);
             c.launch(kernels["nearest"], {.global = {128 * count}}, matrix, indices, roots);
           },
       .twin =
           [&] { twin(host(queries), count, host(points), n, host(indicesTwin), host(rootsTwin)); },
       .compare =
           [&] {
             c.expectEqual("indices", indices, indicesTwin);
             c.expectNear("roots", roots, rootsTwin, 1e-6);
           }});
}

} // namespace bench::programs
