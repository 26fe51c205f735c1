// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: numbers. The same kernels as in numbers.spl.
#include <curand_kernel.h>

__device__ int floorDivide(int a, int b) {
  int quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

__device__ int modulo(int a, int n) { return (a % n + n) % n; }

__global__ void cells(int n, const int *x, int width, int *cell, int *rest) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    cell[i] = floorDivide(x[i], width);
    rest[i] = modulo(x[i], width);
  }
}

__global__ void gather(int n, const int *rows, const unsigned short *columns, int width,
                       const float *a, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[static_cast<long long>(rows[i]) * width + columns[i]];
}

__global__ void pixels(int n, const float *a, unsigned char *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = min(max(__float2int_rn(a[i] * 255), 0), 255);
}

__global__ void gaussian(int n, const float *a, float sigma, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = __expf(-a[i] * a[i] / (2 * sigma * sigma));
}

// In a file that is compiled with -use_fast_math.
__global__ void reciprocals(int n, const float *a, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 1 / sqrtf(a[i]);
}

__global__ void hits(int n, unsigned long long seed, int tries, int *inside) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    int count = 0;
    for (int k = 0; k < tries; ++k) {
      float x = curand_uniform(&state), y = curand_uniform(&state);
      if (x * x + y * y < 1)
        ++count;
    }
    inside[i] = count;
  }
}
