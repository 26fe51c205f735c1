// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

/// In blocks of elements that stay in registers.
void twin(std::int64_t rounds, const float *src, float *dst, std::int64_t n) {
  constexpr std::int64_t Block = 64;
#pragma omp parallel for
  for (std::int64_t first = 0; first < n; first += Block) {
    const std::int64_t size = std::min(Block, n - first);
    float x[Block] = {};
    std::copy_n(src + first, size, x);
    for (std::int64_t round = 0; round < rounds; ++round)
#pragma omp simd
      for (std::int64_t i = 0; i < Block; ++i)
        x[i] = 3.7f * x[i] * (1 - x[i]);
    std::copy_n(x, size, dst + first);
  }
}

} // namespace

void logistic(Case &c) {
  const std::int64_t n = c.size(2 << 20, 1001), rounds = c.size(100, 7);
  // Starts at the fixed point, near which the roundings do not decide the result.
  auto src = c.zeros<float>(n), dst = c.zeros<float>(n), dstTwin = c.zeros<float>(n);
  src.fill(1 - 1 / 3.7f);
  const spl::Kernel kernel = c.load("examples/logistic.spl")["logistic"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n}}, rounds, src, dst); },
             .twin = [&] { twin(rounds, host(src), host(dstTwin), n); },
             .compare = [&] { c.expectNear("dst", dst, dstTwin, 1); }});
}

} // namespace bench::examples
