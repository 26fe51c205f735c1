// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/lud/lud.spl.
#include "../Common.cuh"

constexpr int TILE = 16;

/// An element of a matrix that continues as the identity does.
__device__ float load(const float *a, Index rows, Index cols, Index y, Index x) {
  if (y < rows && x < cols)
    return a[y * cols + x];
  return y == x ? 1 : 0;
}
__device__ void store(float *a, Index rows, Index cols, Index y, Index x, float value) {
  if (y < rows && x < cols)
    a[y * cols + x] = value;
}

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    diagonal(float *__restrict__ a, Index rows, Index cols, int first) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = load(a, rows, cols, first + y, first + x);
  __syncthreads();
  for (int k = 0; k < TILE; ++k) {
    if (y > k && x == k)
      tile[y][x] /= tile[k][k];
    __syncthreads();
    if (y > k && x > k)
      tile[y][x] -= tile[y][k] * tile[k][x];
    __syncthreads();
  }
  store(a, rows, cols, first + y, first + x, tile[y][x]);
}

extern "C" __global__ void __launch_bounds__(2 * TILE)
    perimeter(float *__restrict__ a, Index rows, Index cols, int first) {
  __shared__ float pivot[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
  const int me = threadIdx.x;
  const Index other = first + (static_cast<Index>(blockIdx.x) + 1) * TILE;
#pragma unroll
  for (int step = 0; step < TILE; step += 2) {
    const int y = threadIdx.y + step;
    pivot[y][me] = load(a, rows, cols, first + y, first + me);
    right[y][me] = load(a, rows, cols, first + y, other + me);
    below[y][me] = load(a, rows, cols, other + y, first + me);
  }
  __syncthreads();

  if (threadIdx.y == 0) {
    for (int y = 1; y < TILE; ++y)
      for (int k = 0; k < y; ++k)
        right[y][me] -= pivot[y][k] * right[k][me];
  } else {
    for (int x = 0; x < TILE; ++x) {
      for (int k = 0; k < x; ++k)
        below[me][x] -= below[me][k] * pivot[k][x];
      below[me][x] /= pivot[x][x];
    }
  }
  __syncthreads();

#pragma unroll
  for (int step = 0; step < TILE; step += 2) {
    const int y = threadIdx.y + step;
    store(a, rows, cols, first + y, other + me, right[y][me]);
    store(a, rows, cols, other + y, first + me, below[y][me]);
  }
}

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    internal(float *__restrict__ a, Index rows, Index cols, int first) {
  __shared__ float right[TILE][TILE], below[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const Index top = first + (static_cast<Index>(blockIdx.y) + 1) * TILE;
  const Index left = first + (static_cast<Index>(blockIdx.x) + 1) * TILE;
  right[y][x] = load(a, rows, cols, first + y, left + x);
  below[y][x] = load(a, rows, cols, top + y, first + x);
  __syncthreads();

  float sum = 0;
#pragma unroll
  for (int k = 0; k < TILE; ++k)
    sum += below[y][k] * right[k][x];
  if (top + y < rows && left + x < cols)
    a[(top + y) * cols + left + x] -= sum;
}
