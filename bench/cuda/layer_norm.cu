// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/layer_norm.spl.
#include "Common.cuh"

constexpr int BLOCK = 128;

struct Moments {
  float count, mean, m2;

  __device__ Moments with(float x) const {
    const float more = count + 1;
    const float delta = x - mean;
    const float moved = mean + delta / more;
    return {more, moved, m2 + delta * (x - moved)};
  }

  __device__ Moments merged(const Moments &other) const {
    const float both = count + other.count;
    if (both == 0)
      return *this;
    const float delta = other.mean - mean;
    const float share = other.count / both;
    return {both, mean + delta * share, m2 + other.m2 + delta * delta * count * share};
  }
};

extern "C" __global__ void __launch_bounds__(BLOCK)
    layer_norm(const float *__restrict__ src, const float *__restrict__ gain,
               const float *__restrict__ bias, float *__restrict__ dst, Index columns,
               float epsilon) {
  const float *x = src + blockIdx.x * columns;
  float *y = dst + blockIdx.x * columns;
  const int me = threadIdx.x;

  Moments mine{};
  for (Index i = me; i < columns; i += BLOCK)
    mine = mine.with(x[i]);

  __shared__ Moments parts[BLOCK];
  parts[me] = mine;
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    __syncthreads();
    if (me < width)
      parts[me] = parts[me].merged(parts[me + width]);
  }
  __syncthreads();

  const Moments all = parts[0];
  const float scale = rsqrtf(all.m2 / all.count + epsilon);
  for (Index i = me; i < columns; i += BLOCK)
    y[i] = (x[i] - all.mean) * scale * gain[i] + bias[i];
}
