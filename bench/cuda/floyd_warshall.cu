// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/floyd_warshall.spl.
#include "Common.cuh"

extern "C" __global__ void __launch_bounds__(256)
    relax(int *__restrict__ distance, Index n, Index k) {
  const Index row = globalY();
  const Index col = globalX();
  if (row < n && col < n) {
    const int through = distance[row * n + k] + distance[k * n + col];
    if (through < distance[row * n + col])
      distance[row * n + col] = through;
  }
}
