// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: warps, reductions and scans. The same kernels as in warps.spl.

__device__ float blockSum(float v) { // of a block of full warps; the result is in thread 0
  __shared__ float parts[32];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2)
      v += __shfl_down_sync(0xffffffff, v, d);
  }
  return v;
}

__global__ void blockSums(int n, const float *a, float *sums) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += a[i];
  float sum = blockSum(mine);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}

__global__ void warpSums(int n, const float *a, float *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? a[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0 && i < n)
    sums[i / 32] = sum;
}

__global__ void rowMaxima(int n, const float *a, float *maxima) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = i < n ? a[i] : -INFINITY;
  for (int d = 8; d > 0; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d, 16));
  if (i % 16 == 0 && i < n)
    maxima[i / 16] = most;
}

__global__ void keepPositive(int n, const float *a, float *kept, unsigned *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool keep = i < n && a[i] > 0;
  unsigned mask = __ballot_sync(0xffffffff, keep);
  int lane = threadIdx.x % 32;
  unsigned first = 0;
  if (lane == 0)
    first = atomicAdd(count, __popc(mask));
  first = __shfl_sync(0xffffffff, first, 0);
  if (keep)
    kept[first + __popc(mask & ((1u << lane) - 1))] = a[i];
}

__global__ void scanBlocks(int n, const int *a, int *out, int *totals) {
  __shared__ int sums[256];
  int id = threadIdx.x, i = blockIdx.x * 256 + id;
  sums[id] = i < n ? a[i] : 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int before = id >= d ? sums[id - d] : 0;
    __syncthreads();
    sums[id] += before;
    __syncthreads();
  }
  if (i < n)
    out[i] = sums[id];
  if (id == 255)
    totals[blockIdx.x] = sums[id];
}

__global__ void rotateWarps(int n, const int *a, int *out) {
  __shared__ int tile[256];
  int id = threadIdx.x, i = blockIdx.x * 256 + id;
  tile[id] = i < n ? a[i] : 0;
  __syncwarp();
  int next = tile[id / 32 * 32 + (id + 1) % 32];
  if (i < n)
    out[i] = next;
}
