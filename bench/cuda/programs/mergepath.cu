// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/mergepath/mergepath.spl.
#include "../Common.cuh"

constexpr int BLOCK = 64;
constexpr int ITEMS = 5;
constexpr int TILE = BLOCK * ITEMS;

template <typename At>
__device__ At mergePath(const int *a, At sizeA, const int *b, At sizeB, At elements) {
  At low = max(elements - sizeB, At(0));
  At high = min(elements, sizeA);
  while (low < high) {
    const At middle = (low + high) / 2;
    if (a[middle] <= b[elements - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

extern "C" __global__ void split(const int *__restrict__ a, Index sizeA, const int *__restrict__ b,
                                 Index sizeB, std::int64_t *__restrict__ splits, Index numSplits) {
  const Index i = globalX();
  if (i < numSplits)
    splits[i] = mergePath(a, sizeA, b, sizeB, min(i * TILE, sizeA + sizeB));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    merge_tiles(const int *__restrict__ a, const int *__restrict__ b,
                const std::int64_t *__restrict__ splits, int *__restrict__ out, Index n) {
  __shared__ int inputs[TILE], merged[TILE];
  const int me = threadIdx.x;
  const Index first = static_cast<Index>(blockIdx.x) * TILE;
  const int size = static_cast<int>(min(Index(TILE), n - first));

  const Index beginA = static_cast<Index>(splits[blockIdx.x]);
  const Index beginB = first - beginA;
  const int sizeA = static_cast<int>(splits[blockIdx.x + 1] - beginA);
  for (int i = me; i < size; i += BLOCK)
    inputs[i] = i < sizeA ? a[beginA + i] : b[beginB + i - sizeA];
  __syncthreads();

  const int *oursB = inputs + sizeA;
  const int sizeB = size - sizeA;
  const int begin = min(me * ITEMS, size);
  const int end = min(begin + ITEMS, size);
  int i = mergePath(inputs, sizeA, oursB, sizeB, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k)
    merged[k] = j >= sizeB || (i < sizeA && inputs[i] <= oursB[j]) ? inputs[i++] : oursB[j++];
  __syncthreads();

  for (int k = me; k < size; k += BLOCK)
    out[first + k] = merged[k];
}
