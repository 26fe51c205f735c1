// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/fft/fft.spl.
#include "../Common.cuh"

constexpr float PI = 3.14159265358979323846f;

__device__ float2 times(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 minus(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

__device__ float2 unit(float angle) {
  float2 result;
  sincosf(angle, &result.y, &result.x);
  return result;
}

template <int N>
__device__ void transform(const float2 *__restrict__ src, float2 *__restrict__ dst,
                          float direction) {
  __shared__ float2 tile[N];
  const int me = threadIdx.x;
  src += static_cast<Index>(blockIdx.x) * N;
  dst += static_cast<Index>(blockIdx.x) * N;
  float2 v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    v[k] = src[me + k * N / 4];

  for (int length = 1; length < N; length *= 4) {
    const int at = me % length;
    const float angle = direction * 2 * PI * at / (4 * length);
#pragma unroll
    for (int k = 1; k < 4; ++k)
      v[k] = times(v[k], unit(angle * k));
    const float2 a = plus(v[0], v[2]);
    const float2 b = minus(v[0], v[2]);
    const float2 c = plus(v[1], v[3]);
    const float2 d = times(minus(v[1], v[3]), make_float2(0, direction));
    const int first = (me - at) * 4 + at;
    __syncthreads();
    tile[first] = plus(a, c);
    tile[first + length] = plus(b, d);
    tile[first + 2 * length] = minus(a, c);
    tile[first + 3 * length] = minus(b, d);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k)
      v[k] = tile[me + k * N / 4];
  }

#pragma unroll
  for (int k = 0; k < 4; ++k)
    dst[me + k * N / 4] = v[k];
}

extern "C" __global__ void __launch_bounds__(16)
    fft__64(const float2 *__restrict__ src, float2 *__restrict__ dst, float direction) {
  transform<64>(src, dst, direction);
}
extern "C" __global__ void __launch_bounds__(256)
    fft__1024(const float2 *__restrict__ src, float2 *__restrict__ dst, float direction) {
  transform<1024>(src, dst, direction);
}
