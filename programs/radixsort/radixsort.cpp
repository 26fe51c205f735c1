// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace programs {
namespace {

struct Pair {
  std::uint32_t key, value;
  auto operator<=>(const Pair &) const = default;
};

std::vector<std::uint32_t> words(const std::vector<Pair> &pairs) {
  std::vector<std::uint32_t> result;
  for (const Pair pair : pairs)
    result.insert(result.end(), {pair.key, pair.value});
  return result;
}

} // namespace

void radixsort(Run &run) {
  constexpr std::int64_t tile = 128, digits = 16;
  std::vector<Pair> pairs(run.scaled(3001));
  // Some keys are equal, so that the result depends on the sort being stable.
  for (std::uint32_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {run.below(5) ? static_cast<std::uint32_t>(run.bits()) : run.below(9u), i};
  const auto size = static_cast<std::int64_t>(pairs.size());
  const std::int64_t tiles = (size + tile - 1) / tile;
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  auto from = context.allocUpload(pairs);
  auto to = context.alloc<Pair>(size);
  auto counts = context.alloc<std::uint32_t>({digits, tiles});
  auto flat = counts.reshape(digits * tiles);
  const spl::LaunchConfig all{.global = {size}};
  for (std::int32_t shift = 0; shift < 32; shift += 4) {
    run.launch(kernels["count_digits"], all, from, shift, counts);
    run.launch(kernels["scan_counts"], {.global = {tile}}, flat);
    run.launch(kernels["move_pairs"], all, from, shift, counts, to);
    std::swap(from, to);
  }

  // The values ascend, so a stable sort by keys is a sort by both.
  std::ranges::sort(pairs);
  run.expectEqual("pairs", words(from.download()), words(pairs));
}

} // namespace programs
