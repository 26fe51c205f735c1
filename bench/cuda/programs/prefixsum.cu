// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/prefixsum/prefixsum.spl.
#include "../Scan.cuh"

constexpr int BLOCK = 128;
constexpr int ITEMS = 4;
constexpr int TILE = BLOCK * ITEMS;

extern "C" __global__ void __launch_bounds__(BLOCK)
    sum_tiles(const unsigned *__restrict__ x, Index n, unsigned *__restrict__ totals) {
  __shared__ unsigned parts[WARP];
  const Index first = static_cast<Index>(blockIdx.x) * TILE + threadIdx.x;
  unsigned mine = 0;
#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    if (first + k < n)
      mine += x[first + k];
  const unsigned total = reduceBlock(mine, parts);
  if (threadIdx.x == 0)
    totals[blockIdx.x] = total;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    scan_totals(unsigned *__restrict__ totals, Index n) {
  __shared__ unsigned parts[BLOCK / WARP];
  unsigned carried = 0;
  for (Index first = 0; first < n; first += BLOCK) {
    const Index i = first + threadIdx.x;
    const Scanned<unsigned> mine = scanBlock<BLOCK>(i < n ? totals[i] : 0, parts);
    if (i < n)
      totals[i] = carried + mine.before;
    carried += mine.total;
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    scan_tiles(const unsigned *__restrict__ x, const unsigned *__restrict__ before,
               unsigned *__restrict__ out, Index n) {
  __shared__ unsigned tile[TILE], parts[BLOCK / WARP];
  const int me = threadIdx.x;
  const Index first = static_cast<Index>(blockIdx.x) * TILE;
#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    tile[me + k] = first + me + k < n ? x[first + me + k] : 0;
  __syncthreads();

  unsigned *mine = tile + me * ITEMS;
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k)
    sum += mine[k];
  sum = before[blockIdx.x] + scanBlock<BLOCK>(sum, parts).before;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    const unsigned value = mine[k];
    mine[k] = sum;
    sum += value;
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < TILE; k += BLOCK)
    if (first + me + k < n)
      out[first + me + k] = tile[me + k];
}
