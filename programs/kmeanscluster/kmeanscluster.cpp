// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

namespace programs {
namespace {

constexpr std::int64_t Features = 5, Clusters = 7;
constexpr int Rounds = 6;

/// Rows of Features numbers. They are whole, so that their sums are exact in every order, up to
/// 2^24.
using Matrix = std::vector<float>;

/// Points around centres that are far from each other.
Matrix makePoints(Run &run, std::int64_t count) {
  Matrix centres(Clusters * Features), points;
  for (float &value : centres)
    value = static_cast<float>(run.below(200));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t cluster = run.below(Clusters);
    for (std::int64_t k = 0; k < Features; ++k)
      points.push_back(centres[cluster * Features + k] + static_cast<float>(run.below(60)));
  }
  return points;
}

struct Clustering {
  Matrix centres;
  std::vector<std::int32_t> labels;
};

std::int32_t nearest(const float *point, const Matrix &centres) {
  std::int32_t best = 0;
  float least = INFINITY;
  for (std::int32_t c = 0; c < Clusters; ++c) {
    float distance = 0;
    for (std::int64_t k = 0; k < Features; ++k) {
      const float difference = point[k] - centres[c * Features + k];
      distance = std::fma(difference, difference, distance); // as the language does
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

Clustering reference(const Matrix &points, Matrix centres) {
  std::vector<std::int32_t> labels(points.size() / Features);
  for (int round = 0; round < Rounds; ++round) {
    std::vector<std::int64_t> counts(Clusters), sums(Clusters * Features);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = nearest(&points[i * Features], centres);
      ++counts[labels[i]];
      for (std::int64_t k = 0; k < Features; ++k)
        sums[labels[i] * Features + k] += std::int64_t(points[i * Features + k]);
    }
    for (std::size_t k = 0; k < sums.size(); ++k)
      if (const std::int64_t count = counts[k / Features])
        centres[k] = static_cast<float>(sums[k]) / static_cast<float>(count);
  }
  return {centres, labels};
}

} // namespace

void kmeanscluster(Run &run) {
  const auto count = static_cast<std::int64_t>(run.scaled(1700));
  const Matrix data = makePoints(run, count);
  const Matrix first(data.begin(), data.begin() + Clusters * Features); // the first points
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto points = context.allocUpload(data, {count, Features});
  auto centres = context.allocUpload(first, {Clusters, Features});
  auto labels = context.alloc<std::int32_t>(count);
  auto sums = context.allocZeros<float>({Clusters, Features});
  auto counts = context.allocZeros<std::int32_t>(Clusters);
  for (int round = 0; round < Rounds; ++round) {
    run.launch(kernels["assign"], {.global = {count}}, points, centres, labels);
    run.launch(kernels["accumulate"], {.global = {count}}, points, labels, sums, counts);
    run.launch(kernels["update"], {.global = {Clusters}, .local = {32}}, sums, counts, centres);
  }
  const Clustering expected = reference(data, first);
  run.expectEqual("labels", labels.download(), expected.labels);
  run.expectEqual("centres", centres.download(), expected.centres);
}

} // namespace programs
