// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/transpose.spl.
#include "Common.cuh"

constexpr int TILE = 32;
constexpr int ROWS = 8;

template <typename T>
__device__ void transpose(const T *__restrict__ src, T *__restrict__ dst, Index rows, Index cols) {
  __shared__ T tile[TILE][TILE + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const Index left = static_cast<Index>(blockIdx.x) * TILE;
  const Index top = static_cast<Index>(blockIdx.y) * TILE;

#pragma unroll
  for (int k = 0; k < TILE; k += ROWS)
    if (top + y + k < rows && left + x < cols)
      tile[y + k][x] = src[(top + y + k) * cols + left + x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS)
    if (left + y + k < cols && top + x < rows)
      dst[(left + y + k) * rows + top + x] = tile[x][y + k];
}

extern "C" __global__ void __launch_bounds__(TILE *ROWS)
    transpose__f32(const float *__restrict__ src, float *__restrict__ dst, Index rows, Index cols) {
  transpose(src, dst, rows, cols);
}

extern "C" __global__ void __launch_bounds__(TILE *ROWS)
    transpose__u8(const std::uint8_t *__restrict__ src, std::uint8_t *__restrict__ dst, Index rows,
                  Index cols) {
  transpose(src, dst, rows, cols);
}
