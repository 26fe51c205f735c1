// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/dct8x8/dct8x8.spl.
#include "../Common.cuh"

constexpr int SIDE = 8;
constexpr float PI = 3.14159265358979323846f;

__constant__ float QUANTUM[SIDE][SIDE] = {
    {16, 11, 10, 16, 24, 40, 51, 61},     {12, 12, 14, 19, 26, 58, 60, 55},
    {14, 13, 16, 24, 40, 57, 69, 56},     {14, 17, 22, 29, 51, 87, 80, 62},
    {18, 22, 37, 56, 68, 109, 103, 77},   {24, 35, 55, 64, 81, 104, 113, 92},
    {49, 64, 78, 87, 103, 121, 120, 101}, {72, 92, 95, 98, 112, 100, 103, 99}};

__device__ float cosine(int frequency, int position) {
  if (frequency == 0)
    return sqrtf(1.0f / SIDE);
  return 0.5f * cosf(frequency * (2 * position + 1) * (PI / (2 * SIDE)));
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
    forward(const std::uint8_t *__restrict__ image, Index rows, Index cols,
            short *__restrict__ coefficients, Index coefficientRows, Index coefficientCols) {
  __shared__ float basis[SIDE][SIDE], block[SIDE][SIDE], half[SIDE][SIDE];
  const int v = threadIdx.y;
  const int u = threadIdx.x;
  const Index y = globalY();
  const Index x = globalX();
  basis[v][u] = cosine(v, u);
  block[v][u] = image[min(y, rows - 1) * cols + min(x, cols - 1)] - 128.0f;
  __syncthreads();

  float sum = 0;
#pragma unroll
  for (int k = 0; k < SIDE; ++k)
    sum += basis[v][k] * block[k][u];
  half[v][u] = sum;
  __syncthreads();

  sum = 0;
#pragma unroll
  for (int k = 0; k < SIDE; ++k)
    sum += half[v][k] * basis[u][k];
  if (y < coefficientRows && x < coefficientCols)
    coefficients[y * coefficientCols + x] = static_cast<short>(roundf(sum / QUANTUM[v][u]));
}

extern "C" __global__ void __launch_bounds__(SIDE *SIDE)
    inverse(const short *__restrict__ coefficients, Index coefficientCols,
            std::uint8_t *__restrict__ image, Index rows, Index cols) {
  __shared__ float basis[SIDE][SIDE], block[SIDE][SIDE], half[SIDE][SIDE];
  const int v = threadIdx.y;
  const int u = threadIdx.x;
  const Index y = globalY();
  const Index x = globalX();
  basis[v][u] = cosine(v, u);
  block[v][u] = coefficients[y * coefficientCols + x] * QUANTUM[v][u];
  __syncthreads();

  float sum = 0;
#pragma unroll
  for (int k = 0; k < SIDE; ++k)
    sum += basis[k][v] * block[k][u];
  half[v][u] = sum;
  __syncthreads();

  sum = 0;
#pragma unroll
  for (int k = 0; k < SIDE; ++k)
    sum += half[v][k] * basis[k][u];
  if (y < rows && x < cols)
    image[y * cols + x] = static_cast<std::uint8_t>(fminf(fmaxf(roundf(sum + 128), 0), 255));
}
