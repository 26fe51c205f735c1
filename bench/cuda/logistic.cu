// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/logistic.spl.
#include "Common.cuh"

extern "C" __global__ void logistic(Index rounds, const float *__restrict__ src,
                                    float *__restrict__ dst, Index n) {
  const Index i = globalX();
  if (i >= n)
    return;
  float x = src[i];
  for (Index round = 0; round < rounds; ++round)
    x = 3.7f * x * (1 - x);
  dst[i] = x;
}
