// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: ids, sizes, and loops over a grid. The same kernels as in indexing.spl.

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += alpha * x[i];
}

void launchSaxpy(int n, float alpha, const float *x, float *y) {
  saxpy<<<(n + 255) / 256, 256>>>(n, alpha, x, y);
}

__global__ void square(int n, const float *a, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] * a[i];
}

__global__ void gradient(int rows, int columns, const float *a, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < columns)
    out[y * columns + x] = a[y * columns + min(x + 1, columns - 1)] - a[y * columns + x];
}

__global__ void planeSums(int planes, int rows, int columns, const float *a, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= rows || x >= columns)
    return;
  float sum = 0;
  for (int z = 0; z < planes; ++z)
    sum += a[(z * rows + y) * columns + x];
  out[y * columns + x] = sum;
}
