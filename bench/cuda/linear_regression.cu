// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/linear_regression.spl.
#include "Common.cuh"

extern "C" __global__ void __launch_bounds__(256)
    gradient(const float *__restrict__ x, const float *__restrict__ y, Index n,
             const float *__restrict__ model, float *__restrict__ sums) {
  __shared__ float parts[3][WARP];
  const Index i = globalX();
  float at = 0;
  float off = 0;
  if (i < n) {
    at = x[i];
    off = model[0] * at + model[1] - y[i];
  }
  const float byWeight = reduceBlock(off * at, parts[0]);
  const float byBias = reduceBlock(off, parts[1]);
  const float square = reduceBlock(off * off, parts[2]);
  if (threadIdx.x == 0) {
    atomicAdd(&sums[0], byWeight);
    atomicAdd(&sums[1], byBias);
    atomicAdd(&sums[2], square);
  }
}

extern "C" __global__ void __launch_bounds__(2)
    descend(float rate, float count, const float *__restrict__ sums, float *__restrict__ model) {
  const Index i = globalX();
  model[i] -= rate * 2 * sums[i] / count;
}
