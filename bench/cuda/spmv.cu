// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/spmv.spl.
#include "Common.cuh"

extern "C" __global__ void spmv(const int *__restrict__ starts, const int *__restrict__ columns,
                                const float *__restrict__ values, const float *__restrict__ x,
                                float *__restrict__ y, Index rows) {
  const Index row = globalX() / WARP;
  const int lane = threadIdx.x % WARP;
  if (row >= rows)
    return;
  float acc = 0;
  const int end = starts[row + 1];
  for (int k = starts[row] + lane; k < end; k += WARP)
    acc += values[k] * x[columns[k]];
  const float total = reduceWarp(acc);
  if (lane == 0)
    y[row] = total;
}
