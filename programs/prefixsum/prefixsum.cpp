// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <numeric>

namespace programs {

void prefixsum(Run &run) {
  constexpr std::int64_t block = 128, tile = 4 * block;
  std::vector<std::uint32_t> input(run.scaled(70'003));
  for (std::uint32_t &x : input)
    x = static_cast<std::uint32_t>(run.bits());
  const auto size = static_cast<std::int64_t>(input.size());
  const std::int64_t tiles = (size + tile - 1) / tile;
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto x = context.allocUpload(input);
  auto totals = context.alloc<std::uint32_t>(tiles);
  auto out = context.alloc<std::uint32_t>(size);
  const spl::LaunchConfig all{.global = {tiles * block}};
  run.launch(kernels["sum_tiles"], all, x, totals);
  run.launch(kernels["scan_totals"], {.global = {block}}, totals);
  run.launch(kernels["scan_tiles"], all, x, totals, out);

  std::vector<std::uint32_t> expected(input.size());
  std::exclusive_scan(input.begin(), input.end(), expected.begin(), 0u);
  run.expectEqual("out", out.download(), expected);
}

} // namespace programs
