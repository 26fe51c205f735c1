// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: shared memory. The same kernels as in shared.spl.

constexpr int BLOCK = 256;
constexpr int RADIUS = 2;

__global__ void blur(int n, const float *in, float *out) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  int first = blockIdx.x * BLOCK - RADIUS;
  for (int k = threadIdx.x; k < BLOCK + 2 * RADIUS; k += BLOCK)
    tile[k] = in[min(max(first + k, 0), n - 1)];
  __syncthreads();
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; ++k)
      sum += tile[threadIdx.x + k];
    out[i] = sum / (2 * RADIUS + 1);
  }
}

__global__ void countPositive(int n, const float *a, unsigned *counts) {
  __shared__ unsigned count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0)
    atomicAdd(&count, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    counts[blockIdx.x] = count;
}

__global__ void reverseBlocks(float *keys, int *values) {
  extern __shared__ float tileKeys[];
  int n = blockDim.x;
  int *tileValues = reinterpret_cast<int *>(tileKeys + n);
  int i = blockIdx.x * n + threadIdx.x;
  tileKeys[threadIdx.x] = keys[i];
  tileValues[threadIdx.x] = values[i];
  __syncthreads();
  keys[i] = tileKeys[n - 1 - threadIdx.x];
  values[i] = tileValues[n - 1 - threadIdx.x];
}

void launchReverseBlocks(int blocks, int n, float *keys, int *values) {
  reverseBlocks<<<blocks, n, n * (sizeof(float) + sizeof(int))>>>(keys, values);
}

constexpr int TILE = 16;

__global__ void transpose(int rows, int columns, const float *a, float *out) {
  __shared__ float tile[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  if (row + y < rows && column + x < columns)
    tile[y][x] = a[(row + y) * columns + column + x];
  __syncthreads();
  if (column + y < columns && row + x < rows)
    out[(column + y) * rows + row + x] = tile[x][y];
}
