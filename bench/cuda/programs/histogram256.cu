// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/histogram256/histogram256.spl.
#include "../Common.cuh"

constexpr int BINS = 256;
constexpr int WARPS = 6;
constexpr int BLOCK = WARPS * WARP;

extern "C" __global__ void __launch_bounds__(BLOCK)
    count_bytes(const unsigned *__restrict__ words, Index n, std::int64_t bytes,
                unsigned *__restrict__ partial) {
  __shared__ unsigned bins[WARPS][BINS];
  const int me = threadIdx.x;
#pragma unroll
  for (int k = 0; k < WARPS * BINS; k += BLOCK)
    bins[0][me + k] = 0;
  __syncthreads();

  unsigned *mine = bins[me / WARP];
  for (Index i = globalX(); i < n; i += gridSize()) {
    const unsigned word = words[i];
    const std::int64_t left = bytes - 4 * static_cast<std::int64_t>(i);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (k < left)
        atomicAdd(&mine[word >> 8 * k & 255], 1u);
  }
  __syncthreads();

  for (int bin = me; bin < BINS; bin += BLOCK) {
    unsigned sum = 0;
#pragma unroll
    for (int warp = 0; warp < WARPS; ++warp)
      sum += bins[warp][bin];
    partial[static_cast<Index>(blockIdx.x) * BINS + bin] = sum;
  }
}

extern "C" __global__ void add_counts(const unsigned *__restrict__ partial, Index groups,
                                      unsigned *__restrict__ counts) {
  __shared__ unsigned parts[WARP];
  const Index bin = blockIdx.x;
  unsigned sum = 0;
  for (Index group = threadIdx.x; group < groups; group += blockDim.x)
    sum += partial[group * BINS + bin];
  sum = reduceBlock(sum, parts);
  if (threadIdx.x == 0)
    counts[bin] = sum;
}
