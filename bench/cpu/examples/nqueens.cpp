// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::examples {
namespace {

/// The number of ways to fill the other rows. Bits are columns: taken, and threatened along both
/// diagonals.
std::uint64_t solutions(std::uint32_t board, std::uint32_t taken, std::uint32_t left,
                        std::uint32_t right) {
  if (taken == board)
    return 1;
  std::uint64_t count = 0;
  for (std::uint32_t free = board & ~(taken | left | right); free; free &= free - 1) {
    const std::uint32_t queen = free & -free;
    count += solutions(board, taken | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

std::uint64_t twin(std::int32_t n) {
  const std::uint32_t board = (1u << n) - 1;
  std::uint64_t count = 0;
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : count)
  for (std::int32_t first = 0; first < n; ++first)
    for (std::int32_t second = 0; second < n; ++second)
      if (std::abs(first - second) >= 2) {
        const std::uint32_t a = 1u << first, b = 1u << second;
        count += solutions(board, a | b, (a << 1 | b) << 1, (a >> 1 | b) >> 1);
      }
  return count;
}

} // namespace

void nqueens(Case &c) {
  const auto n = static_cast<std::int32_t>(c.size(11, 6));
  auto total = c.zeros<std::uint64_t>(1), totalTwin = c.zeros<std::uint64_t>(1);
  const spl::Kernel kernel = c.load("examples/nqueens.spl")["count_queens"];
  c.measure({.ours =
                 [&] {
                   total.fill(0);
                   c.launch(kernel, {.global = {n * n}, .local = {32}}, n, total);
                 },
             .twin = [&] { host(totalTwin)[0] = twin(n); },
             .compare = [&] { c.expectEqual("total", total, totalTwin); }});
}

} // namespace bench::examples
