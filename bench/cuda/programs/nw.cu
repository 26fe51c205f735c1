// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/nw/nw.spl.
#include "../Common.cuh"

constexpr int TILE = 16;

extern "C" __global__ void __launch_bounds__(TILE)
    fill_diagonal(const std::uint8_t *__restrict__ a, Index rows,
                  const std::uint8_t *__restrict__ b, Index cols,
                  const int *__restrict__ similarity, Index letters, int gap, int diagonal,
                  int firstRow, int *__restrict__ score) {
  __shared__ int tile[TILE + 1][TILE + 1];
  const int me = threadIdx.x;
  const Index tileRow = firstRow + static_cast<Index>(blockIdx.x);
  const Index top = tileRow * TILE;
  const Index left = (diagonal - tileRow) * TILE;
  const Index pitch = cols + 1;
  const bool inColumns = left + me < cols;

  if (inColumns)
    tile[0][me + 1] = score[top * pitch + left + me + 1];
  if (top + me < rows)
    tile[me + 1][0] = score[(top + me + 1) * pitch + left];
  if (me == 0)
    tile[0][0] = score[top * pitch + left];
  __syncthreads();

  for (int step = 0; step < 2 * TILE - 1; ++step) {
    const int y = step - me;
    if (0 <= y && y < TILE && top + y < rows && inColumns) {
      const int aligned = tile[y][me] + similarity[a[top + y] * letters + b[left + me]];
      tile[y + 1][me + 1] = max(aligned, max(tile[y][me + 1], tile[y + 1][me]) - gap);
    }
    __syncthreads();
  }

  for (int y = 0; y < TILE; ++y)
    if (top + y < rows && inColumns)
      score[(top + y + 1) * pitch + left + me + 1] = tile[y + 1][me + 1];
}
