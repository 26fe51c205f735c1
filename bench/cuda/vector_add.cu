// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/vector_add.spl.
#include "Common.cuh"

extern "C" __global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b,
                                      float *__restrict__ out, Index n) {
  const Index i = globalX();
  if (i < n)
    out[i] = a[i] + b[i];
}
