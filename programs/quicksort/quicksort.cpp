// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <utility>

namespace programs {
namespace {

struct Segment {
  std::int32_t first, end;
};

} // namespace

void quicksort(Run &run) {
  constexpr std::int64_t block = 128;
  std::vector<std::int32_t> keys(run.scaled(9001));
  for (std::int32_t &key : keys)
    key = run.below(20'000) - 10'000;
  const auto size = static_cast<std::int64_t>(keys.size());
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  auto src = context.allocUpload(keys);
  auto dst = context.alloc<std::int32_t>(size);
  auto sorted = context.alloc<std::int32_t>(size);
  // A round lists at most one segment for each key.
  auto segments = context.alloc<Segment>(size);
  segments.view(0, 1).upload({{0, static_cast<std::int32_t>(size)}});
  auto next = context.alloc<Segment>(size);
  auto small = context.alloc<Segment>(size);
  auto counts = context.alloc<std::uint32_t>(2);
  for (std::int64_t waiting = 1; waiting > 0;) {
    counts.fill(0);
    run.launch(kernels["divide"], {.global = {waiting * block}}, segments, src, dst, sorted, next,
               small, counts);
    const std::vector<std::uint32_t> found = counts.download();
    run.launch(kernels["sort_short"], {.global = {found[1] * block}}, small, dst, sorted);
    waiting = found[0];
    std::swap(segments, next);
    std::swap(src, dst);
  }

  std::ranges::sort(keys);
  run.expectEqual("sorted", sorted.download(), keys);
}

} // namespace programs
