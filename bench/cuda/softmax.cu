// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/softmax.spl.
#include "Common.cuh"

extern "C" __global__ void softmax(const float *__restrict__ src, float *__restrict__ dst,
                                   Index columns) {
  __shared__ float largestOfWarps[WARP];
  __shared__ float sumsOfWarps[WARP];
  const float *x = src + blockIdx.x * columns;
  float *y = dst + blockIdx.x * columns;

  float largest = -INFINITY;
  for (Index i = threadIdx.x; i < columns; i += blockDim.x)
    largest = fmaxf(largest, x[i]);
  const float peak = reduceBlockToAll(largest, largestOfWarps, -INFINITY, Largest());

  float acc = 0;
  for (Index i = threadIdx.x; i < columns; i += blockDim.x) {
    const float e = expf(x[i] - peak);
    y[i] = e;
    acc += e;
  }
  const float total = reduceBlockToAll(acc, sumsOfWarps);

  for (Index i = threadIdx.x; i < columns; i += blockDim.x)
    y[i] /= total;
}
