// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the twins share: the type of indices, and sums over warps and blocks.
#pragma once
#include <cstdint>

// The type of the sizes and the indices of arrays: -DINDEX=int for 32 bits.
#ifndef INDEX
#define INDEX std::int64_t
#endif
using Index = INDEX;

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffff;

__device__ inline Index globalX() {
  return static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline Index globalY() {
  return static_cast<Index>(blockIdx.y) * blockDim.y + threadIdx.y;
}
/// The step of a loop over an array by all threads of the grid.
__device__ inline Index gridSize() { return static_cast<Index>(gridDim.x) * blockDim.x; }

struct Sum {
  template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

/// The values of a warp combined, in lane 0. All lanes of the warp call it.
template <typename T, typename Combine = Sum>
__device__ T reduceWarp(T value, Combine combine = {}) {
#pragma unroll
  for (int offset = WARP / 2; offset > 0; offset /= 2)
    value = combine(value, __shfl_down_sync(ALL_LANES, value, offset));
  return value;
}

/// The values of a block combined, in thread 0. `parts` is shared memory that no other reduction
/// uses. The block is of whole warps.
template <typename T, typename Combine = Sum>
__device__ T reduceBlock(T value, T (&parts)[WARP], T neutral = {}, Combine combine = {}) {
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  value = reduceWarp(value, combine);
  if (lane == 0)
    parts[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / WARP ? parts[lane] : neutral;
    value = reduceWarp(value, combine);
  }
  return value;
}

/// The same in all threads.
template <typename T, typename Combine = Sum>
__device__ T reduceBlockToAll(T value, T (&parts)[WARP], T neutral = {}, Combine combine = {}) {
  value = reduceBlock(value, parts, neutral, combine);
  if (threadIdx.x == 0)
    parts[0] = value;
  __syncthreads();
  return parts[0];
}
