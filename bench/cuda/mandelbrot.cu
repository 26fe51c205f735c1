// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/mandelbrot.spl.
#include "Common.cuh"

__device__ int escapeSteps(float cx, float cy, int limit) {
  float x = 0;
  float y = 0;
  int steps = 0;
  while (steps < limit) {
    const float xx = x * x;
    const float yy = y * y;
    if (xx + yy > 4)
      break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    ++steps;
  }
  return steps;
}

extern "C" __global__ void mandelbrot(Index width, Index height, int limit, int *__restrict__ out) {
  const Index column = globalX();
  const Index row = globalY();
  if (column < width && row < height) {
    const float scale = 3.0f / width;
    const float cx = (column + 0.5f) * scale - 2.2f;
    const float cy = (row + 0.5f - height * 0.5f) * scale;
    out[row * width + column] = escapeSteps(cx, cy, limit);
  }
}
