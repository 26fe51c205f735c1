// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelScan.h"

namespace bench::examples {
void scan(Case &c) {
  constexpr std::int64_t Tile = 256, Block = 128;
  const std::int64_t n = c.size(16 << 20, 3001), tiles = (n + Tile - 1) / Tile;
  const auto x = c.uniform(n, -9, 90);
  auto out = c.zeros<std::int32_t>(n), outTwin = c.zeros<std::int32_t>(n),
       outCl = c.zeros<std::int32_t>(n);
  auto totals = c.zeros<std::int32_t>(tiles), offsets = c.zeros<std::int32_t>(tiles);
  auto totalsCl = c.zeros<std::int32_t>(tiles), offsetsCl = c.zeros<std::int32_t>(tiles);
  const spl::Module kernels = c.load("examples/scan.spl");
  const auto blocksCl = c.loadOpenCl("scan.cl", "scan_blocks"),
             smallCl = c.loadOpenCl("scan.cl", "scan_small"),
             addCl = c.loadOpenCl("scan.cl", "add_offsets");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["scan_blocks"], {.global = {tiles * Block}}, x, out, totals);
                   c.launch(kernels["scan_small"], {.global = {1024}, .local = {1024}}, totals,
                            offsets);
                   c.launch(kernels["add_offsets"], {.global = {tiles * Block}}, out, offsets);
                 },
             .twin = [&] { parallelScan(host(x), host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); },
             .openCl =
                 [&] {
                   const auto elements = std::int32_t(n);
                   const spl::LaunchConfig all{.global = {tiles * Block}, .local = {Block}};
                   c.launch(blocksCl, all, x, outCl, totalsCl, elements);
                   c.launch(smallCl, {.global = {1024}, .local = {1024}}, totalsCl, offsetsCl,
                            std::int32_t(tiles));
                   c.launch(addCl, all, outCl, offsetsCl, elements);
                 },
             .compareOpenCl = [&] { c.expectEqual("out", out, outCl); }});
}

} // namespace bench::examples
