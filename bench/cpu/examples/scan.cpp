// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelScan.h"

namespace bench::examples {
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
             .twin = [&] { parallelScan(host(x), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::examples
