// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

/// Sorted numbers, some of them equal.
std::vector<std::int32_t> sorted(Run &run, std::size_t size, std::int32_t low, std::int32_t high) {
  std::vector<std::int32_t> result(size);
  for (std::int32_t &x : result)
    x = low + run.below(high - low);
  std::ranges::sort(result);
  return result;
}

} // namespace

void mergepath(Run &run) {
  constexpr std::int64_t block = 64, tile = 5 * block;
  // Tiles at the start have elements of the first array only.
  const auto left = sorted(run, run.scaled(5003), -9000, 7000);
  const auto right = sorted(run, run.scaled(7001), -2000, 9000);
  const auto size = static_cast<std::int64_t>(left.size() + right.size());
  const std::int64_t tiles = (size + tile - 1) / tile;
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto a = context.allocUpload(left);
  const auto b = context.allocUpload(right);
  auto splits = context.alloc<std::int64_t>(tiles + 1);
  auto out = context.alloc<std::int32_t>(size);
  run.launch(kernels["split"], {.global = {tiles + 1}}, a, b, splits);
  run.launch(kernels["merge_tiles"], {.global = {tiles * block}}, a, b, splits, out);

  std::vector<std::int32_t> expected(left);
  expected.insert(expected.end(), right.begin(), right.end());
  std::ranges::sort(expected);
  run.expectEqual("out", out.download(), expected);
}

} // namespace programs
