// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/stencil.spl.
#include "Common.cuh"

constexpr int TILE = 16;
constexpr int HALO = 1;
constexpr int WIDTH = TILE + 2 * HALO;

__device__ Index clamp(Index at, Index last) { return min(max(at, Index(0)), last); }

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    diffuse(const float *__restrict__ src, float *__restrict__ dst, Index rows, Index cols,
            float rate) {
  __shared__ float tile[WIDTH][WIDTH];
  const Index top = static_cast<Index>(blockIdx.y) * TILE - HALO;
  const Index left = static_cast<Index>(blockIdx.x) * TILE - HALO;
  for (int k = threadIdx.y * TILE + threadIdx.x; k < WIDTH * WIDTH; k += TILE * TILE) {
    const Index row = clamp(top + k / WIDTH, rows - 1);
    const Index col = clamp(left + k % WIDTH, cols - 1);
    tile[k / WIDTH][k % WIDTH] = src[row * cols + col];
  }
  __syncthreads();

  const Index row = static_cast<Index>(blockIdx.y) * TILE + threadIdx.y;
  const Index col = static_cast<Index>(blockIdx.x) * TILE + threadIdx.x;
  if (row >= rows || col >= cols)
    return;
  const int y = threadIdx.y + HALO;
  const int x = threadIdx.x + HALO;
  const float centre = tile[y][x];
  const float around = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
  dst[row * cols + col] = centre + rate * (around - 4 * centre);
}
