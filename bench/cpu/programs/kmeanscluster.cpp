// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

constexpr std::int64_t Features = 5, Clusters = 7;
constexpr int Rounds = 6;

/// Labels consecutive points at once.
void assign(const float *points, const float *centres, std::int32_t *labels, std::int64_t n) {
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < n; ++i) {
    std::int32_t best = 0;
    float least = INFINITY;
#pragma clang loop unroll(full)
    for (std::int32_t k = 0; k < Clusters; ++k) {
      float distance = 0;
#pragma clang loop unroll(full)
      for (std::int64_t f = 0; f < Features; ++f) {
        const float difference = points[i * Features + f] - centres[k * Features + f];
        distance = std::fma(difference, difference, distance);
      }
      best = distance < least ? k : best;
      least = distance < least ? distance : least;
    }
    labels[i] = best;
  }
}

void twinRound(const float *points, float *centres, std::int32_t *labels, std::int64_t n) {
  assign(points, centres, labels, n);
  float sums[Clusters * Features] = {};
  std::int32_t counts[Clusters] = {};
#pragma omp parallel for reduction(+ : sums, counts)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int32_t label = labels[i];
    ++counts[label];
    for (std::int64_t f = 0; f < Features; ++f)
      sums[label * Features + f] += points[i * Features + f];
  }
  for (std::int64_t k = 0; k < Clusters * Features; ++k)
    if (const std::int32_t count = counts[k / Features])
      centres[k] = sums[k] / float(count);
}

} // namespace

/// The numbers are whole, so that their sums are exact in every order.
void kmeanscluster(Case &c) {
  const std::int64_t n = c.size(200'000, 1001);
  auto points = c.zeros<float>({n, Features}), first = c.zeros<float>({Clusters, Features});
  for (std::int64_t i = 0; i < points.size(); ++i)
    host(points)[i] = static_cast<float>((i / Features % Clusters) * 29 % 200 + c.draw(0, 60));
  std::copy_n(host(points), first.size(), host(first));
  auto centres = c.copy(first), centresTwin = c.copy(first);
  auto labels = c.zeros<std::int32_t>(n), labelsTwin = c.zeros<std::int32_t>(n);
  auto sums = c.zeros<float>({Clusters, Features});
  auto counts = c.zeros<std::int32_t>(Clusters);
  const spl::Module kernels = c.load("programs/kmeanscluster/kmeanscluster.spl");
  c.restoreBefore([&] {
    first.copyTo(centres);
    first.copyTo(centresTwin);
  });
  c.measure({.ours =
                 [&] {
                   for (int round = 0; round < Rounds; ++round) {
                     c.launch(kernels["assign"], {.global = {n}}, points, centres, labels);
                     c.launch(kernels["accumulate"], {.global = {n}}, points, labels, sums, counts);
                     c.launch(kernels["update"], {.global = {Clusters}, .local = {32}}, sums,
                              counts, centres);
                   }
                 },
             .twin =
                 [&] {
                   for (int round = 0; round < Rounds; ++round)
                     twinRound(host(points), host(centresTwin), host(labelsTwin), n);
                 },
             .compare =
                 [&] {
                   c.expectEqual("labels", labels, labelsTwin);
                   c.expectEqual("centres", centres, centresTwin);
                 }});
}

} // namespace bench::programs
