// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>

namespace programs {
namespace {

constexpr std::int64_t Tile = 16;

/// A matrix whose diagonal is large, so that it needs no pivoting.
std::vector<float> makeMatrix(Run &run, std::size_t size) {
  std::vector<float> matrix(size * size);
  for (float &element : matrix)
    element = run.between(-1.0f, 1.0f);
  for (std::size_t i = 0; i < size; ++i)
    matrix[i * size + i] += static_cast<float>(size) / 2;
  return matrix;
}

/// By Crout's order: each element of L and U from the ones before it.
std::vector<float> reference(const std::vector<float> &matrix, std::size_t size) {
  std::vector<double> lu(matrix.begin(), matrix.end());
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < std::min(i, j); ++k)
        lu[i * size + j] -= lu[i * size + k] * lu[k * size + j];
      if (i > j)
        lu[i * size + j] /= lu[j * size + j];
    }
  return {lu.begin(), lu.end()};
}

} // namespace

void lud(Run &run) {
  const std::size_t side = run.scaledSide(90);
  const std::vector<float> matrix = makeMatrix(run, side);
  const spl::Module kernels = run.load();

  const auto size = static_cast<std::int64_t>(side);
  auto a = run.context().allocUpload(matrix, {size, size});
  for (std::int64_t first = 0; first < size; first += Tile) {
    const auto at = static_cast<std::int32_t>(first);
    const std::int64_t tiles = (size - first - 1) / Tile; // beyond that of the diagonal
    run.launch(kernels["diagonal"], {.global = {Tile, Tile}, .local = {Tile, Tile}}, a, at);
    if (tiles == 0)
      break;
    run.launch(kernels["perimeter"], {.global = {tiles * Tile, 2}, .local = {Tile, 2}}, a, at);
    run.launch(kernels["internal"], {.global = {tiles * Tile, tiles * Tile}, .local = {Tile, Tile}},
               a, at);
  }
  run.expectNear("lu", a.download(), reference(matrix, side), 1e-5);
}

} // namespace programs
