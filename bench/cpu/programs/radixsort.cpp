// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <omp.h>

namespace bench::programs {
namespace {

struct Pair {
  std::uint32_t key, value;
};

/// Eight bits at a time. Each thread counts the digits of its part, and then moves its pairs to
/// where those of its digits begin.
void twin(const Pair *pairs, Pair *sorted, Pair *other, std::int64_t n) {
  constexpr int Digits = 256;
  std::vector<std::array<std::int64_t, Digits>> counts(omp_get_max_threads());
  const Pair *from = pairs;
  Pair *to = other;
  for (int shift = 0; shift < 32; shift += 8) {
#pragma omp parallel
    {
      const std::int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
      const std::int64_t first = n * me / threads, end = n * (me + 1) / threads;
      std::array<std::int64_t, Digits> mine = {};
      for (std::int64_t i = first; i < end; ++i)
        ++mine[from[i].key >> shift & (Digits - 1)];
      counts[me] = mine;
#pragma omp barrier
#pragma omp single
      {
        std::int64_t before = 0;
        for (int digit = 0; digit < Digits; ++digit)
          for (std::int64_t thread = 0; thread < threads; ++thread)
            before += std::exchange(counts[thread][digit], before);
      }
      mine = counts[me];
      for (std::int64_t i = first; i < end; ++i)
        to[mine[from[i].key >> shift & (Digits - 1)]++] = from[i];
    }
    from = to;
    to = from == other ? sorted : other;
  }
}

} // namespace

void radixsort(Case &c) {
  constexpr std::int64_t Tile = 128, Digits = 16;
  const std::int64_t n = c.size(1 << 20, 1001), tiles = (n + Tile - 1) / Tile;
  auto pairs = c.zeros<Pair>(n), a = c.zeros<Pair>(n), b = c.zeros<Pair>(n),
       sortedTwin = c.zeros<Pair>(n), otherTwin = c.zeros<Pair>(n);
  for (std::int64_t i = 0; i < n; ++i)
    host(pairs)[i] = {static_cast<std::uint32_t>(c.random()()), static_cast<std::uint32_t>(i)};
  auto counts = c.zeros<std::uint32_t>({Digits, tiles});
  auto flat = counts.reshape(Digits * tiles);
  const spl::Module kernels = c.load("programs/radixsort/radixsort.spl");
  const auto ours = [&] {
    pairs.copyTo(a);
    auto *from = &a, *to = &b;
    for (std::int32_t shift = 0; shift < 32; shift += 4) {
      c.launch(kernels["count_digits"], {.global = {n}}, *from, shift, counts);
      c.launch(kernels["scan_counts"], {.global = {Tile}}, flat);
      c.launch(kernels["move_pairs"], {.global = {n}}, *from, shift, counts, *to);
      std::swap(from, to);
    }
  };
  c.measure({.ours = ours,
             .twin = [&] { twin(host(pairs), host(sortedTwin), host(otherTwin), n); },
             .compare =
                 [&] {
                   c.expectEqual("pairs", numbers<std::uint32_t>(a),
                                 numbers<std::uint32_t>(sortedTwin));
                 }});
}

} // namespace bench::programs
