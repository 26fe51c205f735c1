// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelSort.h"

namespace bench::examples {
void bitonicSort(Case &c) {
  constexpr std::int64_t Tile = 256;
  const std::int64_t n = c.size(1 << 20, 3001);
  const auto random = c.uniform(n, -1'000'000'000, 1'000'000'000);
  auto keys = c.copy(random), keysTwin = c.copy(random);
  const spl::Module kernels = c.load("examples/bitonic_sort.spl", {"sort_tiles[i32]"});
  const spl::Kernel tiles = kernels["sort_tiles[i32]"], step = kernels["sort_step"];
  c.restoreBefore([&] {
    random.copyTo(keys);
    random.copyTo(keysTwin);
  });
  c.measure({.ours =
                 [&] {
                   const std::int64_t pairs = (n + 1) / 2;
                   c.launch(tiles, {.global = {(n + Tile - 1) / Tile * (Tile / 2)}}, keys,
                            INT32_MAX);
                   for (std::int64_t size = 2 * Tile; size < 2 * n; size *= 2)
                     for (std::int64_t stride = size / 2; stride > 0; stride /= 2)
                       c.launch(step, {.global = {std::max(pairs, size / 2)}}, keys, size, stride);
                 },
             .twin = [&] { parallelSort(host(keysTwin), n); },
             .compare = [&] { c.expectEqual("keys", keys, keysTwin); }});
}

} // namespace bench::examples
