// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <omp.h>

namespace bench::programs {
namespace {

using Numbers = std::span<const std::int32_t>;

/// How many of the first elements of the result are from a (Green, McColl, Bader, 2012).
std::int64_t split(Numbers a, Numbers b, std::int64_t elements) {
  std::int64_t low = std::max<std::int64_t>(elements - std::ssize(b), 0);
  std::int64_t high = std::min<std::int64_t>(elements, std::ssize(a));
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (a[middle] <= b[elements - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Each thread merges its part of the result.
void twin(Numbers a, Numbers b, std::int32_t *out) {
  const std::int64_t size = std::ssize(a) + std::ssize(b);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    const std::int64_t first = size * me / threads, end = size * (me + 1) / threads;
    const std::int64_t firstA = split(a, b, first), endA = split(a, b, end);
    std::merge(a.begin() + firstA, a.begin() + endA, b.begin() + (first - firstA),
               b.begin() + (end - endA), out + first);
  }
}

spl::Array<std::int32_t> sorted(Case &c, std::int64_t size, std::int32_t low, std::int32_t high) {
  auto result = c.uniform(size, low, high);
  std::sort(host(result), host(result) + size);
  return result;
}

} // namespace

void mergepath(Case &c) {
  constexpr std::int64_t Block = 64, Tile = 5 * Block;
  const auto a = sorted(c, c.size(4'000'000, 2003), -9'000'000, 7'000'000),
             b = sorted(c, c.size(5'000'000, 3001), -2'000'000, 9'000'000);
  const std::int64_t size = a.size() + b.size(), tiles = (size + Tile - 1) / Tile;
  auto splits = c.zeros<std::int64_t>(tiles + 1);
  auto out = c.zeros<std::int32_t>(size), outTwin = c.zeros<std::int32_t>(size);
  const spl::Module kernels = c.load("programs/mergepath/mergepath.spl");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["split"], {.global = {tiles + 1}}, a, b, splits);
                   c.launch(kernels["merge_tiles"], {.global = {tiles * Block}}, a, b, splits, out);
                 },
             .twin = [&] { twin(elements(a), elements(b), host(outTwin)); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::programs
