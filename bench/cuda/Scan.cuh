// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefix sums of blocks, which several twins need.
#pragma once
#include "Common.cuh"

/// The sum of the values of this lane and those before it. All lanes of the warp call it.
template <typename T> __device__ T scanWarp(T value) {
#pragma unroll
  for (int offset = 1; offset < WARP; offset *= 2) {
    const T before = __shfl_up_sync(ALL_LANES, value, offset);
    if (threadIdx.x % WARP >= offset)
      value += before;
  }
  return value;
}

/// The sum of the values of the threads before this one, and that of all threads of the block.
template <typename T> struct Scanned {
  T before, total;
};

/// Scans a block of BLOCK threads in one dimension. It may be called again with the same `parts`.
template <int BLOCK, typename T>
__device__ Scanned<T> scanBlock(T value, T (&parts)[BLOCK / WARP]) {
  const int warp = threadIdx.x / WARP;
  const T inclusive = scanWarp(value);
  __syncthreads(); // the parts of the last call have been read
  if (threadIdx.x % WARP == WARP - 1)
    parts[warp] = inclusive;
  __syncthreads();
  Scanned<T> result = {inclusive - value, 0};
#pragma unroll
  for (int k = 0; k < BLOCK / WARP; ++k) {
    if (k < warp)
      result.before += parts[k];
    result.total += parts[k];
  }
  return result;
}
