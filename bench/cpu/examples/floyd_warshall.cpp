// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

void twin(std::int32_t *distance, std::int64_t n) {
#pragma omp parallel
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int32_t *through = distance + k * n;
#pragma omp for
    for (std::int64_t row = 0; row < n; ++row) {
      std::int32_t *mine = distance + row * n;
      const std::int32_t first = mine[k];
#pragma omp simd
      for (std::int64_t col = 0; col < n; ++col)
        mine[col] = std::min(mine[col], first + through[col]);
    }
  }
}

} // namespace

void floydWarshall(Case &c) {
  const std::int64_t n = c.size(512, 45);
  auto edges = c.uniform({n, n}, 1, 100'000);
  for (std::int64_t i = 0; i < n; ++i)
    host(edges)[i * n + i] = 0;
  auto distance = c.copy(edges), distanceTwin = c.copy(edges);
  const spl::Kernel kernel = c.load("examples/floyd_warshall.spl")["relax"];
  c.restoreBefore([&] {
    edges.copyTo(distance);
    edges.copyTo(distanceTwin);
  });
  c.measure({.ours =
                 [&] {
                   for (std::int64_t k = 0; k < n; ++k)
                     c.launch(kernel, {.global = {n, n}}, distance, k);
                 },
             .twin = [&] { twin(host(distanceTwin), n); },
             .compare = [&] { c.expectEqual("distance", distance, distanceTwin); }});
}

} // namespace bench::examples
