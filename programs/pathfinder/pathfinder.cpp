// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <utility>

namespace programs {
namespace {

constexpr std::int64_t Block = 128;
constexpr std::int64_t RowsAtOnce = 20;

struct Wall {
  std::int64_t rows, cols;
  std::vector<std::int32_t> costs;
};

Wall makeWall(Run &run) {
  Wall wall{103, static_cast<std::int64_t>(run.scaled(997)), {}};
  wall.costs.resize(static_cast<std::size_t>(wall.rows * wall.cols));
  for (std::int32_t &cost : wall.costs)
    cost = run.below(10);
  return wall;
}

std::vector<std::int32_t> reference(const Wall &wall) {
  std::vector<std::int32_t> total(wall.costs.begin(), wall.costs.begin() + wall.cols);
  for (std::int64_t row = 1; row < wall.rows; ++row) {
    const std::vector<std::int32_t> above = total;
    for (std::int64_t col = 0; col < wall.cols; ++col) {
      const auto begin = above.begin() + std::max<std::int64_t>(col - 1, 0);
      const auto end = above.begin() + std::min(col + 2, wall.cols);
      total[static_cast<std::size_t>(col)] =
          *std::min_element(begin, end) +
          wall.costs[static_cast<std::size_t>(row * wall.cols + col)];
    }
  }
  return total;
}

} // namespace

void pathfinder(Run &run) {
  const Wall wall = makeWall(run);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto costs = context.allocUpload(wall.costs, {wall.rows, wall.cols});
  auto src = context.alloc<std::int32_t>(wall.cols);
  auto dst = context.alloc<std::int32_t>(wall.cols);
  costs.view(0, 1).reshape(wall.cols).copyTo(src);
  for (std::int64_t first = 1; first < wall.rows; first += RowsAtOnce) {
    const std::int64_t rows = std::min(RowsAtOnce, wall.rows - first);
    const std::int64_t width = Block - 2 * rows; // of the columns that a group completes
    const std::int64_t groups = (wall.cols + width - 1) / width;
    run.launch(kernels["descend"], {.global = {groups * Block}, .local = {Block}}, costs,
               static_cast<std::int32_t>(first), static_cast<std::int32_t>(rows), src, dst);
    std::swap(src, dst);
  }
  run.expectEqual("total", src.download(), reference(wall));
}

} // namespace programs
