// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/pathfinder/pathfinder.spl.
#include "../Common.cuh"

#include <climits>

constexpr int BLOCK = 128;

extern "C" __global__ void __launch_bounds__(BLOCK)
    descend(const int *__restrict__ wall, Index cols, int first, int rows,
            const int *__restrict__ src, int *__restrict__ dst) {
  __shared__ int now[BLOCK];
  const int me = threadIdx.x;
  const Index col = static_cast<Index>(blockIdx.x) * (BLOCK - 2 * rows) - rows + me;
  const bool inside = col >= 0 && col < cols;
  const int left = max(me - 1, 0);
  const int right = min(me + 1, BLOCK - 1);

  now[me] = inside ? src[col] : INT_MAX;
  __syncthreads();
  for (int row = first; row < first + rows; ++row) {
    const int cheapest = min(min(now[left], now[me]), now[right]);
    __syncthreads();
    if (inside)
      now[me] = cheapest + wall[row * cols + col];
    __syncthreads();
  }
  if (inside && me >= rows && me < BLOCK - rows)
    dst[col] = now[me];
}
