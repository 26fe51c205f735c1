// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/hotspot3d/hotspot3d.spl.
#include "../Common.cuh"

struct Material {
  float centre, northSouth, eastWest, aboveBelow, power, ambient, air;
};

extern "C" __global__ void __launch_bounds__(128)
    step(const float *__restrict__ power, const float *__restrict__ src, Material m,
         float *__restrict__ dst, Index layers, Index rows, Index cols) {
  const Index x = globalX();
  const Index y = globalY();
  if (layers == 0 || y >= rows || x >= cols)
    return;
  const Index layer = rows * cols;
  Index at = y * cols + x;
  const Index north = y == 0 ? 0 : -cols;
  const Index south = y == rows - 1 ? 0 : cols;
  const Index west = x == 0 ? 0 : -1;
  const Index east = x == cols - 1 ? 0 : 1;

  float below = src[at];
  float centre = below;
  for (Index z = 0; z < layers; ++z) {
    const float above = z + 1 < layers ? src[at + layer] : centre;
    float sum = m.centre * centre + m.aboveBelow * (above + below);
    sum += m.northSouth * (src[at + north] + src[at + south]);
    sum += m.eastWest * (src[at + west] + src[at + east]);
    dst[at] = sum + m.power * power[at] + m.ambient * m.air;
    below = centre;
    centre = above;
    at += layer;
  }
}
