// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

namespace bench::programs {
namespace {

/// Row by row. The result is in `total`.
void twin(const std::int32_t *wall, std::int32_t *total, std::int32_t *other, std::int64_t rows,
          std::int64_t cols) {
  std::copy_n(wall, cols, total);
  std::int32_t *src = total, *dst = other;
#pragma omp parallel firstprivate(src, dst)
  for (std::int64_t row = 1; row < rows; ++row) {
    const std::int32_t *costs = wall + row * cols;
#pragma omp for simd
    for (std::int64_t col = 1; col < cols - 1; ++col)
      dst[col] = std::min(std::min(src[col - 1], src[col]), src[col + 1]) + costs[col];
#pragma omp single
    {
      dst[0] = std::min(src[0], src[1]) + costs[0];
      dst[cols - 1] = std::min(src[cols - 2], src[cols - 1]) + costs[cols - 1];
    }
    std::swap(src, dst);
  }
}

} // namespace

void pathfinder(Case &c) {
  constexpr std::int64_t Block = 128, RowsAtOnce = 20;
  // The number of rows is odd, so that the result is in the first array.
  const std::int64_t rows = c.size(101, 25), cols = c.size(200'000, 501);
  const auto wall = c.uniform({rows, cols}, 0, 10);
  auto a = c.zeros<std::int32_t>(cols), b = c.zeros<std::int32_t>(cols),
       total = c.zeros<std::int32_t>(cols), totalTwin = c.zeros<std::int32_t>(cols),
       otherTwin = c.zeros<std::int32_t>(cols);
  const spl::Kernel kernel = c.load("programs/pathfinder/pathfinder.spl")["descend"];
  const auto ours = [&] {
    std::copy_n(host(wall), cols, host(a));
    auto *src = &a, *dst = &b;
    for (std::int64_t first = 1; first < rows; first += RowsAtOnce) {
      const std::int64_t some = std::min(RowsAtOnce, rows - first);
      const std::int64_t width = Block - 2 * some; // of the columns that a group completes
      const std::int64_t groups = (cols + width - 1) / width;
      c.launch(kernel, {.global = {groups * Block}, .local = {Block}}, wall,
               static_cast<std::int32_t>(first), static_cast<std::int32_t>(some), *src, *dst);
      std::swap(src, dst);
    }
    src->copyTo(total);
  };
  c.measure({.ours = ours,
             .twin = [&] { twin(host(wall), host(totalTwin), host(otherTwin), rows, cols); },
             .compare = [&] { c.expectEqual("total", total, totalTwin); }});
}

} // namespace bench::programs
