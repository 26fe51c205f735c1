// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/matmul.spl.
#include "Common.cuh"

constexpr int TILE = 16;

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
           Index rows, Index inner, Index cols) {
  __shared__ float tileA[TILE][TILE];
  __shared__ float tileB[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const Index row = static_cast<Index>(blockIdx.y) * TILE + y;
  const Index col = static_cast<Index>(blockIdx.x) * TILE + x;

  float acc = 0;
  for (Index first = 0; first < inner; first += TILE) {
    tileA[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    tileB[y][x] = first + y < inner && col < cols ? b[(first + y) * cols + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      acc += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  if (row < rows && col < cols)
    c[row * cols + col] = acc;
}
