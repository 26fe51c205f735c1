// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

using Point = std::array<float, 2>;

struct Cluster {
  double x, y;
  std::uint32_t count;
};

constexpr int Centres = 16;

/// Labels consecutive points at once.
void assign(const Point *points, const Point *centres, std::int32_t *label, std::int64_t n) {
  const float *xy = points->data();
#pragma omp parallel for simd
  for (std::int64_t i = 0; i < n; ++i) {
    std::int32_t best = 0;
    float least = INFINITY;
#pragma clang loop unroll(full)
    for (std::int32_t k = 0; k < Centres; ++k) {
      const float x = xy[2 * i] - centres[k][0], y = xy[2 * i + 1] - centres[k][1];
      const float distance = x * x + y * y;
      best = distance < least ? k : best;
      least = distance < least ? distance : least;
    }
    label[i] = best;
  }
}

void twin(const Point *points, const Point *centres, std::int32_t *label, Point *next,
          std::int64_t n) {
  assign(points, centres, label, n);
  double sums[3 * Centres] = {};
#pragma omp parallel for reduction(+ : sums)
  for (std::int64_t i = 0; i < n; ++i) {
    double *sum = sums + 3 * label[i];
    sum[0] += points[i][0];
    sum[1] += points[i][1];
    sum[2] += 1;
  }
  for (int k = 0; k < Centres; ++k)
    if (const double count = sums[3 * k + 2]; count > 0)
      next[k] = {float(sums[3 * k] / count), float(sums[3 * k + 1] / count)};
}

} // namespace

void kmeans(Case &c) {
  const std::int64_t n = c.size(2 << 20, 1001);
  auto points = c.zeros<Point>(n), centres = c.zeros<Point>(Centres);
  for (std::int64_t i = 0; i < n; ++i)
    host(points)[i] = {c.draw(0.0f, 1.0f), c.draw(0.0f, 1.0f)};
  for (int k = 0; k < Centres; ++k)
    host(centres)[k] = host(points)[k];
  auto next = c.copy(centres), nextTwin = c.copy(centres);
  auto label = c.zeros<std::int32_t>(n), labelTwin = c.zeros<std::int32_t>(n);
  auto clusters = c.zeros<Cluster>(Centres);
  const spl::Module kernels = c.load("examples/kmeans.spl");
  c.measure({.ours =
                 [&] {
                   clusters.fill({});
                   c.launch(kernels["assign"], {.global = {n}}, points, centres, label);
                   c.launch(kernels["accumulate"], {.global = {c.size(1 << 15, 512)}}, points,
                            label, clusters);
                   c.launch(kernels["new_centres"], {.global = {Centres}}, clusters, next);
                 },
             .twin = [&] { twin(host(points), host(centres), host(labelTwin), host(nextTwin), n); },
             .compare =
                 [&] {
                   c.expectNear("label", label, labelTwin, 0, 1, 1e-5);
                   c.expectNear("centres", numbers<float>(next), numbers<float>(nextTwin), 1e-5);
                 }});
}

} // namespace bench::examples
