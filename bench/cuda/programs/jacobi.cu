// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/jacobi/jacobi.spl.
#include "../Common.cuh"

extern "C" __global__ void __launch_bounds__(256)
    relax(const float *__restrict__ charge, const float *__restrict__ src, float *__restrict__ dst,
          Index rows, Index cols, float *__restrict__ change) {
  __shared__ float parts[WARP];
  const Index row = globalY() + 1;
  const Index col = globalX() + 1;
  float difference = 0;
  if (row + 1 < rows && col + 1 < cols) {
    const Index at = row * cols + col;
    const float around = src[at - cols] + src[at + cols] + src[at - 1] + src[at + 1];
    const float next = 0.25f * (around + charge[at]);
    difference = next - src[at];
    dst[at] = next;
  }

  // The sum over a block of 16 x 16 threads.
  const int me = threadIdx.y * 16 + threadIdx.x;
  float squares = reduceWarp(difference * difference);
  if (me % WARP == 0)
    parts[me / WARP] = squares;
  __syncthreads();
  if (me < WARP) {
    squares = reduceWarp(me < 256 / WARP ? parts[me] : 0);
    if (me == 0)
      atomicAdd(change, squares);
  }
}
