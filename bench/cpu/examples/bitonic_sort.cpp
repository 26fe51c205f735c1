// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelSort.h"

namespace bench::examples {
void bitonicSort(Case &c) {
  constexpr std::int64_t Tile = 256;
  const std::int64_t n = c.size(1 << 20, 3001);
  const auto random = c.uniform(n, -1'000'000'000, 1'000'000'000);
  auto keys = c.copy(random), keysTwin = c.copy(random), keysCl = c.copy(random);
  const spl::Module kernels = c.load("examples/bitonic_sort.spl", {"sort_tiles[i32]"});
  const spl::Kernel tiles = kernels["sort_tiles[i32]"], step = kernels["sort_step"];
  const auto tilesCl = c.loadOpenCl("bitonic_sort.cl", "sort_tiles"),
             stepCl = c.loadOpenCl("bitonic_sort.cl", "sort_step");
  const std::int64_t pairs = (n + 1) / 2, tileItems = (n + Tile - 1) / Tile * (Tile / 2);
  c.restoreBefore([&] {
    random.copyTo(keys);
    random.copyTo(keysTwin);
    random.copyTo(keysCl);
  });
  c.measure({.ours =
                 [&] {
                   c.launch(tiles, {.global = {tileItems}}, keys, INT32_MAX);
                   for (std::int64_t size = 2 * Tile; size < 2 * n; size *= 2)
                     for (std::int64_t stride = size / 2; stride > 0; stride /= 2)
                       c.launch(step, {.global = {std::max(pairs, size / 2)}}, keys, size, stride);
                 },
             .twin = [&] { parallelSort(host(keysTwin), n); },
             .compare = [&] { c.expectEqual("keys", keys, keysTwin); },
             .openCl =
                 [&] {
                   c.launch(tilesCl, {.global = {tileItems}, .local = {Tile / 2}}, keysCl,
                            std::int32_t(n));
                   for (std::int64_t size = 2 * Tile; size < 2 * n; size *= 2)
                     for (std::int64_t stride = size / 2; stride > 0; stride /= 2)
                       c.launch(stepCl, {.global = {std::max(pairs, size / 2)}, .local = {256}},
                                keysCl, std::int32_t(n), std::int32_t(size), std::int32_t(stride));
                 },
             .compareOpenCl = [&] { c.expectEqual("keys", keys, keysCl); }});
}

} // namespace bench::examples
