// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/quicksort/quicksort.spl.
#include "../Scan.cuh"

#include <climits>

constexpr int BLOCK = 128;
constexpr int SHORT = 2 * BLOCK;

struct Segment {
  int first, end;
};

__device__ int median(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

__device__ void append(Segment segment, Segment *longer, Segment *shorter, unsigned *counts) {
  const int size = segment.end - segment.first;
  if (size > SHORT)
    longer[atomicAdd(&counts[0], 1u)] = segment;
  else if (size > 0)
    shorter[atomicAdd(&counts[1], 1u)] = segment;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    divide(const Segment *__restrict__ segments, const int *__restrict__ src, int *__restrict__ dst,
           int *__restrict__ sorted, Segment *__restrict__ longer, Segment *__restrict__ shorter,
           unsigned *__restrict__ counts) {
  __shared__ int partsBelow[BLOCK / WARP], partsAbove[BLOCK / WARP];
  const int me = threadIdx.x;
  const int first = segments[blockIdx.x].first;
  const int end = segments[blockIdx.x].end;
  const int pivot = median(src[first], src[first + (end - first) / 2], src[end - 1]);

  int below = first;
  int above = end;
  for (int start = first; start < end; start += BLOCK) {
    const int i = start + me;
    const int key = i < end ? src[i] : pivot;
    const Scanned<int> isBelow = scanBlock<BLOCK>(int(key < pivot), partsBelow);
    const Scanned<int> isAbove = scanBlock<BLOCK>(int(key > pivot), partsAbove);
    if (key < pivot)
      dst[below + isBelow.before] = key;
    else if (key > pivot)
      dst[above - 1 - isAbove.before] = key;
    below += isBelow.total;
    above -= isAbove.total;
  }

  for (int i = below + me; i < above; i += BLOCK)
    sorted[i] = pivot;
  if (me == 0) {
    append({first, below}, longer, shorter, counts);
    append({above, end}, longer, shorter, counts);
  }
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    sort_short(const Segment *__restrict__ segments, const int *__restrict__ src,
               int *__restrict__ sorted) {
  __shared__ int keys[SHORT];
  const int me = threadIdx.x;
  const Segment segment = segments[blockIdx.x];
#pragma unroll
  for (int k = 0; k < SHORT; k += BLOCK) {
    const int i = segment.first + me + k;
    keys[me + k] = i < segment.end ? src[i] : INT_MAX;
  }

  for (int size = 2; size <= SHORT; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int i = 2 * me - (me & (stride - 1));
      const int a = keys[i];
      const int b = keys[i + stride];
      if ((a > b) == ((i & size) == 0)) {
        keys[i] = b;
        keys[i + stride] = a;
      }
    }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < SHORT; k += BLOCK) {
    const int i = segment.first + me + k;
    if (i < segment.end)
      sorted[i] = keys[me + k];
  }
}
