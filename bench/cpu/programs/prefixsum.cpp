// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelScan.h"

namespace bench::programs {
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
             .twin = [&] { parallelScan(host(x), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::programs
