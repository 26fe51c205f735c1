// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <omp.h>

namespace bench::examples {
namespace {

/// Each thread adds its part, and then scans it from the sum of the parts before it.
void twin(const std::int32_t *x, std::int32_t *out, std::int64_t n) {
  std::vector<std::int32_t> sums(omp_get_max_threads() + 1);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    const std::int64_t first = n * me / threads, end = n * (me + 1) / threads;
    std::int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = first; i < end; ++i)
      sum += x[i];
    sums[me + 1] = sum;
#pragma omp barrier
    std::int32_t before = 0;
    for (std::int64_t thread = 0; thread <= me; ++thread)
      before += sums[thread];
    for (std::int64_t i = first; i < end; ++i) {
      out[i] = before;
      before += x[i];
    }
  }
}

} // namespace

void scan(Case &c) {
  constexpr std::int64_t Tile = 256, Block = 128;
  const std::int64_t n = c.size(16 << 20, 3001), tiles = (n + Tile - 1) / Tile;
  const auto x = c.uniform(n, -9, 90);
  auto out = c.zeros<std::int32_t>(n), outTwin = c.zeros<std::int32_t>(n);
  auto totals = c.zeros<std::int32_t>(tiles), offsets = c.zeros<std::int32_t>(tiles);
  const spl::Module kernels = c.load("examples/scan.spl");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["scan_blocks"], {.global = {tiles * Block}}, x, out, totals);
                   c.launch(kernels["scan_small"], {.global = {1024}, .local = {1024}}, totals,
                            offsets);
                   c.launch(kernels["add_offsets"], {.global = {tiles * Block}}, out, offsets);
                 },
             .twin = [&] { twin(host(x), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::examples
