// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/bfs/bfs.spl.
#include "../Common.cuh"

constexpr int UNREACHED = -1;

struct Node {
  int first, degree;
};

extern "C" __global__ void expand(const Node *__restrict__ nodes, Index n,
                                  const int *__restrict__ edges, int level,
                                  const int *__restrict__ distance,
                                  std::uint8_t *__restrict__ reached) {
  const Index i = globalX();
  if (i >= n || distance[i] != level)
    return;
  const Node node = nodes[i];
  for (int k = node.first; k < node.first + node.degree; ++k) {
    const int other = edges[k];
    if (distance[other] == UNREACHED)
      reached[other] = 1;
  }
}

extern "C" __global__ void settle(int level, std::uint8_t *__restrict__ reached, Index n,
                                  int *__restrict__ distance, unsigned *__restrict__ more) {
  const Index i = globalX();
  if (i < n && reached[i]) {
    reached[i] = 0;
    distance[i] = level + 1;
    *more = 1;
  }
}
