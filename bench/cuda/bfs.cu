// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/bfs.spl.
#include "Common.cuh"

constexpr int UNREACHED = -1;

extern "C" __global__ void bfs_level(const int *__restrict__ starts,
                                     const int *__restrict__ neighbours,
                                     const int *__restrict__ frontier, int frontierSize, int level,
                                     int *__restrict__ depth, int *__restrict__ next,
                                     int *__restrict__ nextSize) {
  const Index i = globalX();
  if (i >= frontierSize)
    return;
  const int node = frontier[i];
  const int end = starts[node + 1];
  for (int k = starts[node]; k < end; ++k) {
    const int other = neighbours[k];
    if (atomicCAS(&depth[other], UNREACHED, level) == UNREACHED)
      next[atomicAdd(nextSize, 1)] = other;
  }
}
