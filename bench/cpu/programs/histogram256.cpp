// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

/// Each thread counts in four tables, because equal bytes often follow each other.
void twin(const std::uint32_t *words, std::uint32_t *counts, std::int64_t n) {
  std::fill_n(counts, 256, 0u);
#pragma omp parallel
  {
    std::uint32_t mine[4][256] = {};
#pragma omp for
    for (std::int64_t i = 0; i < n; ++i)
      for (int k = 0; k < 4; ++k)
        ++mine[k][words[i] >> 8 * k & 255];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin)
      counts[bin] += mine[0][bin] + mine[1][bin] + mine[2][bin] + mine[3][bin];
  }
}

} // namespace

void histogram256(Case &c) {
  constexpr std::int64_t Bins = 256, Block = 192;
  const std::int64_t n = c.size(4 << 20, 1001), groups = c.size(240, 3); // of words
  auto words = c.zeros<std::uint32_t>(n);
  for (std::int64_t i = 0; i < n; ++i) // the sums of two dice in each byte
    host(words)[i] =
        static_cast<std::uint32_t>((c.random()() & 0x7f7f7f7f) + (c.random()() & 0x7f7f7f7f));
  auto partial = c.zeros<std::uint32_t>({groups, Bins});
  auto counts = c.zeros<std::uint32_t>(Bins), countsTwin = c.zeros<std::uint32_t>(Bins);
  const spl::Module kernels = c.load("programs/histogram256/histogram256.spl");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["count_bytes"], {.global = {groups * Block}}, words, 4 * n,
                            partial);
                   c.launch(kernels["add_counts"], {.global = {Bins * 32}, .local = {32}}, partial,
                            counts);
                 },
             .twin = [&] { twin(host(words), host(countsTwin), n); },
             .compare = [&] { c.expectEqual("counts", counts, countsTwin); }});
}

} // namespace bench::programs
