// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/bitonic_sort.spl.
#include "Common.cuh"

constexpr int TILE = 256;

template <typename T> __device__ void exchange(T &a, T &b, bool ascending) {
  if ((a > b) == ascending) {
    const T other = a;
    a = b;
    b = other;
  }
}

template <typename T> __device__ void sortTiles(T *__restrict__ keys, Index n, T padding) {
  __shared__ T tile[TILE];
  const int me = threadIdx.x;
  const Index first = static_cast<Index>(blockIdx.x) * TILE;
#pragma unroll
  for (int k = 0; k < TILE; k += TILE / 2)
    tile[me + k] = first + me + k < n ? keys[first + me + k] : padding;

  for (int size = 2; size <= TILE; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int i = 2 * me - (me & (stride - 1));
      exchange(tile[i], tile[i + stride], (i & size) == 0);
    }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < TILE; k += TILE / 2)
    if (first + me + k < n)
      keys[first + me + k] = tile[me + k];
}

extern "C" __global__ void __launch_bounds__(TILE / 2)
    sort_tiles__f32(float *__restrict__ keys, Index n, float padding) {
  sortTiles(keys, n, padding);
}

extern "C" __global__ void sort_step(int *__restrict__ keys, Index n, Index size, Index stride) {
  const Index pair = globalX();
  const Index i = 2 * pair - (pair & (stride - 1));
  const Index j = stride != size / 2 ? i + stride : i / size * size + size - 1 - i % size;
  if (j < n)
    exchange(keys[i], keys[j], true);
}
