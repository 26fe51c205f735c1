// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/histogram.spl.
#include "Common.cuh"

constexpr int BINS = 256;

extern "C" __global__ void histogram(const std::uint8_t *__restrict__ bytes, Index n,
                                     unsigned *__restrict__ counts) {
  __shared__ unsigned bins[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    bins[bin] = 0;
  __syncthreads();

  for (Index i = globalX(); i < n; i += gridSize())
    atomicAdd(&bins[bytes[i]], 1u);
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    if (bins[bin] != 0)
      atomicAdd(&counts[bin], bins[bin]);
}
