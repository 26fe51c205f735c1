// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/bilateral/bilateral.spl.
#include "../Common.cuh"

__device__ float4 colourOf(uchar4 pixel) {
  return make_float4(pixel.x / 255.0f, pixel.y / 255.0f, pixel.z / 255.0f, pixel.w / 255.0f);
}

/// The alpha does not count.
__device__ float likeness(float4 a, float4 b, float sigma) {
  const float x = a.x - b.x;
  const float y = a.y - b.y;
  const float z = a.z - b.z;
  return expf(-(x * x + y * y + z * z) / (2 * sigma * sigma));
}

__device__ unsigned char channelOf(float value) {
  return static_cast<unsigned char>(rintf(value * 255));
}

extern "C" __global__ void bilateral(const uchar4 *__restrict__ src, Index rows, Index cols,
                                     const float *__restrict__ spatial, Index numWeights,
                                     float sigma, uchar4 *__restrict__ dst) {
  const Index row = globalY();
  const Index col = globalX();
  if (row >= rows || col >= cols)
    return;
  const Index radius = numWeights - 1;
  const float4 centre = colourOf(src[row * cols + col]);
  float4 sum = make_float4(0, 0, 0, 0);
  float total = 0;
  for (Index dy = -radius; dy <= radius; ++dy) {
    const Index y = min(max(row + dy, Index(0)), rows - 1);
    for (Index dx = -radius; dx <= radius; ++dx) {
      const Index x = min(max(col + dx, Index(0)), cols - 1);
      const float4 colour = colourOf(src[y * cols + x]);
      const float weight = spatial[abs(dy)] * spatial[abs(dx)] * likeness(centre, colour, sigma);
      sum.x += colour.x * weight;
      sum.y += colour.y * weight;
      sum.z += colour.z * weight;
      sum.w += colour.w * weight;
      total += weight;
    }
  }
  dst[row * cols + col] = make_uchar4(channelOf(sum.x / total), channelOf(sum.y / total),
                                      channelOf(sum.z / total), channelOf(sum.w / total));
}
