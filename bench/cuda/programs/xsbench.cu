// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/xsbench/xsbench.spl.
#include "../Common.cuh"

constexpr int CHANNELS = 5;
using Seed = std::uint64_t;

struct Point {
  double energy, sections[CHANNELS];
};

struct Material {
  int first, components;
  double probability;
};

struct Component {
  int nuclide;
  double density;
};

constexpr Seed MULTIPLIER = 2806196910506780709;
constexpr Seed MODULUS_BITS = (Seed(1) << 63) - 1;

__device__ Seed next(Seed seed) { return (MULTIPLIER * seed + 1) & MODULUS_BITS; }

__device__ Seed after(Seed seed, Seed steps) {
  Seed power = MULTIPLIER;
  Seed sum = 1;
  Seed factor = 1;
  Seed addend = 0;
  for (; steps > 0; steps >>= 1) {
    if (steps & 1) {
      factor *= power;
      addend = addend * power + sum;
    }
    sum *= power + 1;
    power *= power;
  }
  return (factor * seed + addend) & MODULUS_BITS;
}

__device__ double unit(Seed seed) {
  return static_cast<double>(seed) / static_cast<double>(MODULUS_BITS);
}

__device__ Index pointBelow(const double *grid, Index size, double energy) {
  Index low = 0;
  Index high = size - 1;
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    if (grid[middle] > energy)
      high = middle;
    else
      low = middle;
  }
  return low;
}

__device__ Material chosen(const Material *materials, Index count, double dice) {
  double sum = 0;
  for (Index k = 0; k < count; ++k) {
    sum += materials[k].probability;
    if (dice < sum)
      return materials[k];
  }
  return materials[count - 1];
}

extern "C" __global__ void look_up(const Material *__restrict__ materials, Index numMaterials,
                                   const Component *__restrict__ components,
                                   const Point *__restrict__ points, Index numPoints,
                                   const double *__restrict__ grid, Index gridSize,
                                   const int *__restrict__ below, Index numNuclides, Seed seed,
                                   double *__restrict__ sections, Index lookups) {
  const Index i = globalX();
  if (i >= lookups)
    return;
  const Seed first = next(after(seed, 2 * static_cast<Seed>(i)));
  const double energy = unit(first);
  const Material material = chosen(materials, numMaterials, unit(next(first)));
  const int *row = below + pointBelow(grid, gridSize, energy) * numNuclides;

  double macro[CHANNELS] = {};
  for (int k = material.first; k < material.first + material.components; ++k) {
    const Component component = components[k];
    const Point *left = points + component.nuclide * numPoints + row[component.nuclide];
    const Point *right = left + 1;
    const double t = (energy - left->energy) / (right->energy - left->energy);
#pragma unroll
    for (int c = 0; c < CHANNELS; ++c)
      macro[c] +=
          component.density * (left->sections[c] + t * (right->sections[c] - left->sections[c]));
  }
#pragma unroll
  for (int c = 0; c < CHANNELS; ++c)
    sections[i * CHANNELS + c] = macro[c];
}
