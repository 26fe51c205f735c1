// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <utility>

namespace programs {
namespace {

constexpr std::int64_t Features = 19, Nearest = 6;

using Matrix = std::vector<float>; // rows of Features numbers
/// Nearest of them for each query.
struct Neighbours {
  std::vector<std::int32_t> indices;
  std::vector<float> distances;
};

Matrix makeRows(Run &run, std::int64_t count) {
  Matrix rows(count * Features);
  for (float &value : rows)
    value = run.between(-1.0f, 1.0f);
  return rows;
}

/// Sorts the points by their distances, which are computed as in the kernel, so that the order of
/// almost equal distances is the same.
Neighbours reference(const Matrix &queries, const Matrix &points) {
  Neighbours result;
  for (std::size_t q = 0; q < queries.size(); q += Features) {
    std::vector<std::pair<float, std::int32_t>> all;
    for (std::size_t p = 0; p < points.size(); p += Features) {
      float sum = 0;
      for (std::size_t k = 0; k < Features; ++k) {
        const float difference = queries[q + k] - points[p + k];
        sum = std::fma(difference, difference, sum);
      }
      all.emplace_back(sum, static_cast<std::int32_t>(p / Features));
    }
    std::ranges::sort(all);
    for (std::size_t k = 0; k < Nearest; ++k) {
      result.indices.push_back(all[k].second);
      result.distances.push_back(std::sqrt(all[k].first));
    }
  }
  return result;
}

} // namespace

void knn(Run &run) {
  const auto queryCount = static_cast<std::int64_t>(run.scaledSide(45));
  const auto pointCount = static_cast<std::int64_t>(run.scaledSide(613));
  const Matrix queries = makeRows(run, queryCount);
  Matrix points = makeRows(run, pointCount);
  // The last points are at the places of the first ones, so that some distances are equal.
  std::copy_n(points.begin(), 50 * Features, points.end() - 50 * Features);

  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();
  const auto q = context.allocUpload(queries, {queryCount, Features});
  const auto p = context.allocUpload(points, {pointCount, Features});
  auto matrix = context.alloc<float>({queryCount, pointCount});
  auto indices = context.alloc<std::int32_t>({queryCount, Nearest});
  auto distances = context.alloc<float>({queryCount, Nearest});
  run.launch(kernels["distances"], {.global = {pointCount, queryCount}}, q, p, matrix);
  run.launch(kernels["nearest"], {.global = {128 * queryCount}}, matrix, indices, distances);

  const Neighbours expected = reference(queries, points);
  run.expectEqual("indices", indices.download(), expected.indices);
  run.expectEqual("distances", distances.download(), expected.distances);
}

} // namespace programs
