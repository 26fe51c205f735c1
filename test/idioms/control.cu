// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: barriers, output and attributes. The same kernels as in control.spl.
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>

__global__ void differences(int n, const float *a, float *out) {
  __shared__ float tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n)
    return; // the barrier does not wait for threads that have returned
  tile[threadIdx.x] = a[i];
  __syncthreads();
  if (threadIdx.x > 0)
    out[i] = tile[threadIdx.x] - tile[threadIdx.x - 1];
}

__global__ void settle(int n, float *a, int *rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = i < n ? a[i] : 0;
  int round = 0;
  while (__syncthreads_or(x >= 1)) {
    if (x >= 1)
      x /= 2;
    ++round;
  }
  if (i < n)
    a[i] = x;
  if (threadIdx.x == 0)
    rounds[blockIdx.x] = round;
}

__global__ void diffuse(int n, int rounds, float *a, float *b) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      b[i] = ((i > 0 ? a[i - 1] : a[i]) + (i + 1 < n ? a[i + 1] : a[i])) / 2;
    grid.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      a[i] = b[i];
    grid.sync();
  }
}

__global__ void roots(int n, const float *a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(a[i] >= 0);
    out[i] = sqrtf(a[i]);
    if (i == 0)
      printf("first of %d: %.3f\n", n, out[i]);
  }
}

__global__ void __launch_bounds__(128, 4) cubes(int n, const float *a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * a[i] * a[i];
}

__global__ void add(int n, const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i];
}

// out may be a.
__global__ void addTo(int n, const float *a, const float *__restrict__ b, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i];
}
