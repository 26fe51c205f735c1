// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <omp.h>

namespace bench::examples {
namespace {

/// Each thread sorts its part, and pairs of parts are merged.
void twin(std::int32_t *keys, std::int64_t n) {
  const std::int64_t parts = omp_get_max_threads();
  std::vector<std::int32_t> merged(parts > 1 ? n : 0);
  std::int32_t *from = keys, *to = merged.data();
  const auto bound = [&](std::int64_t part) { return n * std::min(part, parts) / parts; };
#pragma omp parallel for schedule(static, 1)
  for (std::int64_t part = 0; part < parts; ++part)
    std::sort(keys + bound(part), keys + bound(part + 1));
  for (std::int64_t width = 1; width < parts; width *= 2) {
#pragma omp parallel for schedule(static, 1)
    for (std::int64_t part = 0; part < parts; part += 2 * width) {
      const std::int64_t first = bound(part), middle = bound(part + width);
      std::merge(from + first, from + middle, from + middle, from + bound(part + 2 * width),
                 to + first);
    }
    std::swap(from, to);
  }
  if (from != keys)
    std::copy_n(from, n, keys);
}

} // namespace

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
             .twin = [&] { twin(host(keysTwin), n); },
             .compare = [&] { c.expectEqual("keys", keys, keysTwin); }});
}

} // namespace bench::examples
