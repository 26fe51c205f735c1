// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: atomics. The same kernels as in atomics.spl.

__device__ float blockSum(float v);

__global__ void histogram(int n, const unsigned char *a, unsigned *counts) {
  __shared__ unsigned bins[256];
  int id = threadIdx.x;
  bins[id] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + id; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[a[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[id], bins[id]);
}

// There is no atomicMin of floats. Floats of one sign have the order of their bits.
__device__ void atomicMinFloat(float *a, float v) {
  if (__float_as_int(v) >= 0)
    atomicMin(reinterpret_cast<int *>(a), __float_as_int(v));
  else
    atomicMax(reinterpret_cast<unsigned *>(a), __float_as_uint(v));
}

__global__ void minimum(int n, const float *a, float *least) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMinFloat(least, a[i]);
}

__device__ void atomicMul(float *a, float by) {
  unsigned *bits = reinterpret_cast<unsigned *>(a);
  unsigned seen = *bits, old;
  while ((old = atomicCAS(bits, seen, __float_as_uint(__uint_as_float(seen) * by))) != seen)
    seen = old;
}

__global__ void products(int n, const int *group, const float *factor, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicMul(&out[group[i]], factor[i]);
}

__global__ void total(int n, const float *a, float *parts, unsigned *done, float *out) {
  __shared__ bool last;
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += a[i];
  float sum = blockSum(mine);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    __threadfence();
    mine = 0;
    for (int k = threadIdx.x; k < gridDim.x; k += blockDim.x)
      mine += parts[k];
    __syncthreads(); // blockSum uses its shared memory again
    sum = blockSum(mine);
    if (threadIdx.x == 0)
      *out = sum;
  }
}
