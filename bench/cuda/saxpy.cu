// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/saxpy.spl.
#include "Common.cuh"

extern "C" __global__ void saxpy(float alpha, const float *__restrict__ x, float *__restrict__ y,
                                 Index n) {
  const Index i = globalX();
  if (i < n)
    y[i] += alpha * x[i];
}
