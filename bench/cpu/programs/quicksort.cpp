// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include "bench/cpu/ParallelSort.h"

namespace bench::programs {
namespace {

struct Segment {
  std::int32_t first, end;
};

/// The arrays and launches of the kernels.
class Quicksort {
public:
  Quicksort(Case &c, std::int64_t size)
      : c(c), kernels(c.load("programs/quicksort/quicksort.spl")), src(c.zeros<std::int32_t>(size)),
        dst(c.zeros<std::int32_t>(size)), sorted(c.zeros<std::int32_t>(size)),
        segments(c.zeros<Segment>(size)), next(c.zeros<Segment>(size)),
        small(c.zeros<Segment>(size)), counts(c.zeros<std::uint32_t>(2)) {}

  void run(const spl::Array<std::int32_t> &keys) {
    constexpr std::int64_t Block = 128;
    keys.copyTo(src);
    host(segments)[0] = {0, static_cast<std::int32_t>(keys.size())};
    for (std::int64_t waiting = 1; waiting > 0; waiting = host(counts)[0]) {
      counts.fill(0);
      c.launch(kernels["divide"], {.global = {waiting * Block}}, segments, src, dst, sorted, next,
               small, counts);
      c.launch(kernels["sort_short"], {.global = {host(counts)[1] * Block}}, small, dst, sorted);
      std::swap(segments, next);
      std::swap(src, dst);
    }
  }
  const spl::Array<std::int32_t> &result() const { return sorted; }

private:
  Case &c;
  spl::Module kernels;
  spl::Array<std::int32_t> src, dst, sorted;
  spl::Array<Segment> segments, next, small;
  spl::Array<std::uint32_t> counts;
};

} // namespace

void quicksort(Case &c) {
  const std::int64_t n = c.size(1 << 20, 3001);
  const auto keys = c.uniform(n, -1'000'000, 1'000'000);
  auto sortedTwin = c.zeros<std::int32_t>(n);
  Quicksort ours(c, n);
  c.measure({.ours = [&] { ours.run(keys); },
             .twin =
                 [&] {
                   keys.copyTo(sortedTwin);
                   parallelSort(host(sortedTwin), n);
                 },
             .compare = [&] { c.expectEqual("sorted", ours.result(), sortedTwin); }});
}

} // namespace bench::programs
