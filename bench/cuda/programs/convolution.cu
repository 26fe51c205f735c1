// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/convolution/convolution.spl.
#include "../Common.cuh"

constexpr int RADIUS = 8;
constexpr int TAPS = 2 * RADIUS + 1;
constexpr int WIDTH = 16;
constexpr int HEIGHT = 8;
constexpr int STEPS = 4;

struct Filter {
  float weights[TAPS];
};

extern "C" __global__ void __launch_bounds__(WIDTH *HEIGHT)
    convolve_rows(const float *__restrict__ src, Index rows, Index cols, Filter filter,
                  float *__restrict__ dst) {
  __shared__ float tile[HEIGHT][STEPS * WIDTH + 2 * RADIUS];
  const int y = threadIdx.y;
  const Index row = globalY();
  const Index left = static_cast<Index>(blockIdx.x) * (STEPS * WIDTH);
#pragma unroll
  for (int step = 0; step < STEPS + 2 * RADIUS / WIDTH; ++step) {
    const int x = threadIdx.x + step * WIDTH;
    const Index col = left + x - RADIUS;
    tile[y][x] = row < rows && col >= 0 && col < cols ? src[row * cols + col] : 0;
  }
  __syncthreads();

#pragma unroll
  for (int step = 0; step < STEPS; ++step) {
    const int x = threadIdx.x + step * WIDTH;
    if (row < rows && left + x < cols) {
      float sum = 0;
#pragma unroll
      for (int k = 0; k < TAPS; ++k)
        sum += filter.weights[k] * tile[y][x + k];
      dst[row * cols + left + x] = sum;
    }
  }
}

extern "C" __global__ void __launch_bounds__(WIDTH *HEIGHT)
    convolve_columns(const float *__restrict__ src, Index rows, Index cols, Filter filter,
                     float *__restrict__ dst) {
  __shared__ float tile[STEPS * HEIGHT + 2 * RADIUS][WIDTH];
  const int x = threadIdx.x;
  const Index col = globalX();
  const Index top = static_cast<Index>(blockIdx.y) * (STEPS * HEIGHT);
#pragma unroll
  for (int step = 0; step < STEPS + 2 * RADIUS / HEIGHT; ++step) {
    const int y = threadIdx.y + step * HEIGHT;
    const Index row = top + y - RADIUS;
    tile[y][x] = row >= 0 && row < rows && col < cols ? src[row * cols + col] : 0;
  }
  __syncthreads();

#pragma unroll
  for (int step = 0; step < STEPS; ++step) {
    const int y = threadIdx.y + step * HEIGHT;
    if (top + y < rows && col < cols) {
      float sum = 0;
#pragma unroll
      for (int k = 0; k < TAPS; ++k)
        sum += filter.weights[k] * tile[y + k][x];
      dst[(top + y) * cols + col] = sum;
    }
  }
}
