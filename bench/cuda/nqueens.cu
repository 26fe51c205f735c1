// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/nqueens.spl.
#include "Common.cuh"

constexpr int MOST = 16;

__device__ unsigned long long solutions(int n, int first, int second) {
  if (abs(first - second) < 2)
    return 0;
  const unsigned board = (1u << n) - 1;
  unsigned taken[MOST], left[MOST], right[MOST], free[MOST];
  const unsigned a = 1u << first;
  const unsigned b = 1u << second;
  taken[2] = a | b;
  left[2] = ((a << 1) | b) << 1;
  right[2] = ((a >> 1) | b) >> 1;
  free[2] = board & ~(taken[2] | left[2] | right[2]);

  unsigned long long count = 0;
  int row = 2;
  while (row >= 2) {
    if (free[row] == 0) {
      --row;
      continue;
    }
    const unsigned queen = free[row] & (~free[row] + 1);
    free[row] ^= queen;
    if (row + 1 == n) {
      ++count;
      continue;
    }
    taken[row + 1] = taken[row] | queen;
    left[row + 1] = (left[row] | queen) << 1;
    right[row + 1] = (right[row] | queen) >> 1;
    free[row + 1] = board & ~(taken[row + 1] | left[row + 1] | right[row + 1]);
    ++row;
  }
  return count;
}

extern "C" __global__ void count_queens(int n, unsigned long long *__restrict__ total) {
  __shared__ unsigned long long parts[WARP];
  const int i = static_cast<int>(globalX());
  const unsigned long long found = i < n * n ? solutions(n, i / n, i % n) : 0;
  const unsigned long long together = reduceBlock(found, parts);
  if (threadIdx.x == 0 && together != 0)
    atomicAdd(total, together);
}
