// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/radixsort/radixsort.spl.
#include "../Scan.cuh"

constexpr int TILE = 128;
constexpr int DIGIT_BITS = 4;
constexpr int DIGITS = 1 << DIGIT_BITS;

struct Pair {
  unsigned key, value;
};

__device__ int digitOf(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

extern "C" __global__ void __launch_bounds__(TILE)
    count_digits(const Pair *__restrict__ pairs, Index n, int shift, unsigned *__restrict__ counts,
                 Index tiles) {
  __shared__ unsigned bins[DIGITS];
  const int me = threadIdx.x;
  if (me < DIGITS)
    bins[me] = 0;
  __syncthreads();
  const Index i = globalX();
  if (i < n)
    atomicAdd(&bins[digitOf(pairs[i].key, shift)], 1u);
  __syncthreads();
  if (me < DIGITS)
    counts[me * tiles + blockIdx.x] = bins[me];
}

extern "C" __global__ void __launch_bounds__(TILE)
    scan_counts(unsigned *__restrict__ counts, Index n) {
  __shared__ unsigned parts[TILE / WARP];
  unsigned carried = 0;
  for (Index first = 0; first < n; first += TILE) {
    const Index i = first + threadIdx.x;
    const Scanned<unsigned> mine = scanBlock<TILE>(i < n ? counts[i] : 0, parts);
    if (i < n)
      counts[i] = carried + mine.before;
    carried += mine.total;
  }
}

extern "C" __global__ void __launch_bounds__(TILE)
    move_pairs(const Pair *__restrict__ pairs, Index n, int shift,
               const unsigned *__restrict__ offsets, Index tiles, Pair *__restrict__ sorted) {
  __shared__ Pair tile[TILE];
  __shared__ int starts[DIGITS];
  __shared__ unsigned parts[TILE / WARP];
  const int me = threadIdx.x;
  const Index i = globalX();
  Pair pair = i < n ? pairs[i] : Pair{~0u, 0};
  for (int bit = 0; bit < DIGIT_BITS; ++bit) {
    const unsigned one = pair.key >> (shift + bit) & 1;
    const Scanned<unsigned> ones = scanBlock<TILE>(one, parts);
    tile[one ? TILE - ones.total + ones.before : me - ones.before] = pair;
    __syncthreads();
    pair = tile[me];
    __syncthreads();
  }

  const int mine = digitOf(pair.key, shift);
  if (me == 0 || digitOf(tile[me - 1].key, shift) != mine)
    starts[mine] = me;
  __syncthreads();
  if (i < n)
    sorted[offsets[mine * tiles + blockIdx.x] + (me - starts[mine])] = pair;
}
