// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/pagerank/pagerank.spl.
#include "../Common.cuh"

extern "C" __global__ void share(const float *__restrict__ ranks, Index n,
                                 const int *__restrict__ degrees, float *__restrict__ shares,
                                 float *__restrict__ lost) {
  __shared__ float parts[WARP];
  float mine = 0;
  for (Index i = globalX(); i < n; i += gridSize()) {
    const float rank = ranks[i];
    const int degree = degrees[i];
    shares[i] = degree > 0 ? rank / degree : 0;
    mine += degree == 0 ? rank : 0;
  }
  const float sum = reduceBlock(mine, parts);
  if (threadIdx.x == 0)
    atomicAdd(lost, sum);
}

extern "C" __global__ void gather(const int *__restrict__ starts, const int *__restrict__ sources,
                                  const float *__restrict__ shares, const float *__restrict__ lost,
                                  float damping, float *__restrict__ ranks, Index n,
                                  float *__restrict__ change) {
  __shared__ float parts[WARP];
  float mine = 0;
  for (Index i = globalX(); i < n; i += gridSize()) {
    float sum = *lost / n;
    for (int k = starts[i]; k < starts[i + 1]; ++k)
      sum += shares[sources[k]];
    const float rank = (1 - damping) / n + damping * sum;
    mine += fabsf(rank - ranks[i]);
    ranks[i] = rank;
  }
  const float sum = reduceBlock(mine, parts);
  if (threadIdx.x == 0)
    atomicAdd(change, sum);
}
