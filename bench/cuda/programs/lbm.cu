// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/lbm/lbm.spl.
#include "../Common.cuh"

constexpr int VELOCITIES = 9;

extern "C" __global__ void __launch_bounds__(128)
    step(const std::uint8_t *__restrict__ wall, Index height, Index width,
         const float *__restrict__ src, float omega, float force, float *__restrict__ dst) {
  constexpr int DX[] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  constexpr int DY[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  constexpr int OPPOSITE[] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  constexpr float REST = 4.0f / 9;
  constexpr float STRAIGHT = 1.0f / 9;
  constexpr float SKEW = 1.0f / 36;
  constexpr float WEIGHT[] = {REST, STRAIGHT, STRAIGHT, STRAIGHT, STRAIGHT, SKEW, SKEW, SKEW, SKEW};

  const Index x = globalX();
  const Index y = globalY();
  const Index at = y * width + x;
  const Index cells = height * width;
  if (x >= width || y >= height || wall[at])
    return;

  float f[VELOCITIES];
  float density = 0;
  float ux = 0;
  float uy = 0;
#pragma unroll
  for (int k = 0; k < VELOCITIES; ++k) {
    const Index fromX = (x - DX[k] + width) % width;
    const Index fromY = (y - DY[k] + height) % height;
    const Index from = fromY * width + fromX;
    f[k] = wall[from] ? src[OPPOSITE[k] * cells + at] : src[k * cells + from];
    density += f[k];
    ux += f[k] * DX[k];
    uy += f[k] * DY[k];
  }
  ux /= density;
  uy /= density;

#pragma unroll
  for (int k = 0; k < VELOCITIES; ++k) {
    const float along = DX[k] * ux + DY[k] * uy;
    const float equilibrium =
        WEIGHT[k] * density * (1 + 3 * along + 4.5f * along * along - 1.5f * (ux * ux + uy * uy));
    const float pushed = 3 * WEIGHT[k] * force * DX[k];
    dst[k * cells + at] = f[k] + omega * (equilibrium - f[k]) + pushed;
  }
}
