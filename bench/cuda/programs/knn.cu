// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/knn/knn.spl.
#include "../Common.cuh"

constexpr int TILE = 16;
constexpr int BLOCK = 128;
using Key = unsigned long long;

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    distances(const float *__restrict__ queries, Index numQueries, const float *__restrict__ points,
              Index numPoints, Index features, float *__restrict__ out) {
  __shared__ float tileQ[TILE][TILE], tileP[TILE][TILE + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const Index q = globalY();
  const Index p = globalX();
  const Index loaded = static_cast<Index>(blockIdx.x) * TILE + y;

  float sum = 0;
  for (Index first = 0; first < features; first += TILE) {
    const Index at = first + x;
    tileQ[y][x] = q < numQueries && at < features ? queries[q * features + at] : 0;
    tileP[y][x] = loaded < numPoints && at < features ? points[loaded * features + at] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      const float difference = tileQ[y][k] - tileP[x][k];
      sum += difference * difference;
    }
    __syncthreads();
  }
  if (q < numQueries && p < numPoints)
    out[q * numPoints + p] = sum;
}

struct Least {
  __device__ Key operator()(Key a, Key b) const { return min(a, b); }
};

extern "C" __global__ void __launch_bounds__(BLOCK)
    nearest(const float *__restrict__ distances, Index numPoints, int *__restrict__ indices,
            float *__restrict__ roots, Index count) {
  __shared__ Key parts[WARP];
  const Index query = blockIdx.x;
  const float *row = distances + query * numPoints;
  Key last = 0;
  for (Index k = 0; k < count; ++k) {
    Key mine = ~Key(0);
    for (Index p = threadIdx.x; p < numPoints; p += BLOCK) {
      const Key other = Key(__float_as_uint(row[p])) << 32 | static_cast<unsigned>(p);
      if ((k == 0 || other > last) && other < mine)
        mine = other;
    }
    __syncthreads(); // the last result has been read
    last = reduceBlockToAll(mine, parts, ~Key(0), Least{});
    if (threadIdx.x == 0) {
      indices[query * count + k] = static_cast<int>(last);
      roots[query * count + k] = sqrtf(__uint_as_float(static_cast<unsigned>(last >> 32)));
    }
  }
}
