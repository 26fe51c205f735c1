// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: accesses to memory. The same kernels as in memory.spl.

__global__ void scale4(int n, float by, const float *a, float *out) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    float4 v = *reinterpret_cast<const float4 *>(a + i);
    *reinterpret_cast<float4 *>(out + i) = make_float4(v.x * by, v.y * by, v.z * by, v.w * by);
  }
}

__global__ void distances(int n, const float4 *a, float4 center, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 d =
        make_float4(a[i].x - center.x, a[i].y - center.y, a[i].z - center.z, a[i].w - center.w);
    out[i] = norm4df(d.x, d.y, d.z, d.w);
  }
}

__global__ void copyOnce(int n, const float *a, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    __stcs(&out[i], __ldcs(&a[i]));
}

// The texture has cudaAddressModeClamp and cudaFilterModeLinear.
__global__ void resize(cudaTextureObject_t image, int rows, int columns, float scaleY, float scaleX,
                       float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < columns)
    out[y * columns + x] = tex2D<float>(image, (x + 0.5f) * scaleX, (y + 0.5f) * scaleY);
}
