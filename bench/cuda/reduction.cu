// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/reduction.spl.
#include "Common.cuh"

constexpr int BLOCK = 256;

extern "C" __global__ void __launch_bounds__(BLOCK)
    sum_partial(const float *__restrict__ x, Index n, float *__restrict__ partial) {
  __shared__ float tile[BLOCK];
  const int me = threadIdx.x;
  float acc = 0;
  for (Index i = globalX(); i < n; i += gridSize())
    acc += x[i];
  tile[me] = acc;
  __syncthreads();

  for (int width = BLOCK / 2; width > 0; width /= 2) {
    if (me < width)
      tile[me] += tile[me + width];
    __syncthreads();
  }
  if (me == 0)
    partial[blockIdx.x] = tile[0];
}

extern "C" __global__ void sum_groups(const float *__restrict__ x, Index n,
                                      float *__restrict__ partial) {
  __shared__ float parts[WARP];
  float acc = 0;
  for (Index i = globalX(); i < n; i += gridSize())
    acc += x[i];
  const float total = reduceBlock(acc, parts);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = total;
}

extern "C" __global__ void sum_atomic(const int *__restrict__ x, Index n, int *__restrict__ total) {
  const Index i = globalX();
  const int sum = __reduce_add_sync(ALL_LANES, i < n ? x[i] : 0);
  if (threadIdx.x % WARP == 0)
    atomicAdd(total, sum);
}
