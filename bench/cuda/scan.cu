// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/scan.spl.
#include "Scan.cuh"

constexpr int BLOCK = 128;
constexpr int TILE = 2 * BLOCK;

extern "C" __global__ void __launch_bounds__(BLOCK)
    scan_blocks(const int *__restrict__ x, int *__restrict__ out, Index n,
                int *__restrict__ totals) {
  __shared__ int tile[TILE];
  const int me = threadIdx.x;
  const Index first = static_cast<Index>(blockIdx.x) * TILE;
#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    tile[me + k] = first + me + k < n ? x[first + me + k] : 0;

  for (int stride = 1; stride < TILE; stride *= 2) {
    __syncthreads();
    const int at = (me + 1) * stride * 2 - 1;
    if (at < TILE)
      tile[at] += tile[at - stride];
  }

  __syncthreads();
  if (me == 0) {
    totals[blockIdx.x] = tile[TILE - 1];
    tile[TILE - 1] = 0;
  }

  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    const int at = (me + 1) * stride * 2 - 1;
    if (at < TILE) {
      const int left = tile[at - stride];
      tile[at - stride] = tile[at];
      tile[at] += left;
    }
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    if (first + me + k < n)
      out[first + me + k] = tile[me + k];
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    add_offsets(int *__restrict__ out, Index n, const int *__restrict__ offsets) {
  const Index first = static_cast<Index>(blockIdx.x) * TILE + threadIdx.x;
  const int offset = offsets[blockIdx.x];
#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    if (first + k < n)
      out[first + k] += offset;
}

extern "C" __global__ void scan_small(const int *__restrict__ x, int *__restrict__ out, Index n) {
  __shared__ int parts[WARP];
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  const int warps = blockDim.x / WARP;
  int carried = 0;
  for (Index first = 0; first < n; first += blockDim.x) {
    const Index i = first + threadIdx.x;
    const int mine = i < n ? x[i] : 0;
    const int inclusive = scanWarp(mine);
    if (lane == WARP - 1)
      parts[warp] = inclusive;
    __syncthreads();
    if (warp == 0)
      parts[lane] = scanWarp(lane < warps ? parts[lane] : 0);
    __syncthreads();
    if (i < n)
      out[i] = carried + (warp > 0 ? parts[warp - 1] : 0) + inclusive - mine;
    carried += parts[warps - 1];
    __syncthreads();
  }
}
