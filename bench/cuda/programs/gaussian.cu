// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/gaussian/gaussian.spl.
#include "../Common.cuh"

extern "C" __global__ void fan1(const float *__restrict__ a, Index n, int pivot,
                                float *__restrict__ factor) {
  const Index row = globalX() + pivot + 1;
  if (row < n)
    factor[row] = a[row * n + pivot] / a[pivot * n + pivot];
}

extern "C" __global__ void __launch_bounds__(256)
    fan2(const float *__restrict__ factor, int pivot, float *__restrict__ a, Index rows, Index cols,
         float *__restrict__ b) {
  const Index row = globalY() + pivot + 1;
  const Index col = globalX() + pivot;
  if (row >= rows || col >= cols)
    return;
  a[row * cols + col] = fmaf(-factor[row], a[pivot * cols + col], a[row * cols + col]);
  if (col == pivot)
    b[row] = fmaf(-factor[row], b[pivot], b[row]);
}
