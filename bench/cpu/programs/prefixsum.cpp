// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <omp.h>

namespace bench::programs {
namespace {

/// Each thread adds its part, and then scans it from the sum of the parts before it.
void twin(const std::uint32_t *x, std::uint32_t *out, std::int64_t n) {
  std::vector<std::uint32_t> sums(omp_get_max_threads() + 1);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    const std::int64_t first = n * me / threads, end = n * (me + 1) / threads;
    std::uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = first; i < end; ++i)
      sum += x[i];
    sums[me + 1] = sum;
#pragma omp barrier
    std::uint32_t before = 0;
    for (std::int64_t thread = 0; thread <= me; ++thread)
      before += sums[thread];
    for (std::int64_t i = first; i < end; ++i) {
      out[i] = before;
      before += x[i];
    }
  }
}

} // namespace

void prefixsum(Case &c) {
  constexpr std::int64_t Block = 128, Tile = 4 * Block;
  const std::int64_t n = c.size(16 << 20, 3001), tiles = (n + Tile - 1) / Tile;
  auto x = c.zeros<std::uint32_t>(n);
  for (std::int64_t i = 0; i < n; ++i)
    host(x)[i] = static_cast<std::uint32_t>(c.random()());
  auto totals = c.zeros<std::uint32_t>(tiles), out = c.zeros<std::uint32_t>(n),
       outTwin = c.zeros<std::uint32_t>(n);
  const spl::Module kernels = c.load("programs/prefixsum/prefixsum.spl");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["sum_tiles"], {.global = {tiles * Block}}, x, totals);
                   c.launch(kernels["scan_totals"], {.global = {Block}}, totals);
                   c.launch(kernels["scan_tiles"], {.global = {tiles * Block}}, x, totals, out);
                 },
             .twin = [&] { twin(host(x), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::programs
