// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/sobol/sobol.spl.
#include "../Common.cuh"

constexpr int BITS = 32;

extern "C" __global__ void __launch_bounds__(64)
    sobol(const unsigned *__restrict__ directions, float *__restrict__ points, Index n) {
  __shared__ unsigned mine[BITS];
  const Index dimension = blockIdx.y;
  if (threadIdx.x < BITS)
    mine[threadIdx.x] = directions[dimension * BITS + threadIdx.x];
  __syncthreads();

  for (Index i = globalX(); i < n; i += gridSize()) {
    const unsigned gray = static_cast<unsigned>(i ^ i >> 1);
    unsigned x = 0;
#pragma unroll
    for (int k = 0; k < BITS; ++k)
      if (gray >> k & 1)
        x ^= mine[k];
    points[dimension * n + i] = (x >> 8) * (1.0f / 16777216);
  }
}
