// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/resize.spl.
#include "Common.cuh"

__device__ float mix(float a, float b, float t) { return fmaf(t, b, fmaf(-t, a, a)); }

__device__ float4 mix(float4 a, float4 b, float t) {
  return make_float4(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t), mix(a.w, b.w, t));
}

__device__ float4 toFloat(uchar4 a) { return make_float4(a.x, a.y, a.z, a.w); }

__device__ uchar4 toBytes(float4 a) {
  return make_uchar4(__float2uint_rn(a.x), __float2uint_rn(a.y), __float2uint_rn(a.z),
                     __float2uint_rn(a.w));
}

extern "C" __global__ void __launch_bounds__(256)
    resize(const uchar4 *__restrict__ src, Index srcRows, Index srcCols, uchar4 *__restrict__ dst,
           Index dstRows, Index dstCols) {
  const Index col = globalX();
  const Index row = globalY();
  if (row >= dstRows || col >= dstCols)
    return;
  const Index lastY = srcRows - 1;
  const Index lastX = srcCols - 1;
  const float y = fminf(fmaxf((row + 0.5f) * srcRows / dstRows - 0.5f, 0), lastY);
  const float x = fminf(fmaxf((col + 0.5f) * srcCols / dstCols - 0.5f, 0), lastX);
  const Index y0 = static_cast<Index>(y);
  const Index x0 = static_cast<Index>(x);
  const Index y1 = min(y0 + 1, lastY);
  const Index x1 = min(x0 + 1, lastX);
  const float right = x - floorf(x);
  const float4 above = mix(toFloat(src[y0 * srcCols + x0]), toFloat(src[y0 * srcCols + x1]), right);
  const float4 below = mix(toFloat(src[y1 * srcCols + x0]), toFloat(src[y1 * srcCols + x1]), right);
  dst[row * dstCols + col] = toBytes(mix(above, below, y - floorf(y)));
}
