// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/lavamd/lavamd.spl.
#include "../Common.cuh"

constexpr int CAPACITY = 64;
constexpr int AROUND = 27;

struct Box {
  int first, count, neighbours;
  int neighbour[AROUND];
};

struct Force {
  float x, y, z, potential;
};

extern "C" __global__ void __launch_bounds__(CAPACITY)
    forces(const Box *__restrict__ boxes, const float4 *__restrict__ particles, float alpha,
           Force *__restrict__ out) {
  __shared__ float4 near[CAPACITY];
  const int me = threadIdx.x;
  const Box &home = boxes[blockIdx.x];
  const int i = home.first + me;
  const bool active = me < home.count;
  const float4 mine = active ? particles[i] : make_float4(0, 0, 0, 0);

  Force force = {0, 0, 0, 0};
  for (int k = 0; k < home.neighbours; ++k) {
    const int other = home.neighbour[k];
    const int count = boxes[other].count;
    if (me < count)
      near[me] = particles[boxes[other].first + me];
    __syncthreads();
    if (active)
      for (int j = 0; j < count; ++j) {
        const float x = mine.x - near[j].x;
        const float y = mine.y - near[j].y;
        const float z = mine.z - near[j].z;
        const float potential = near[j].w * expf(-alpha * (x * x + y * y + z * z));
        const float pull = 2 * potential;
        force.x += pull * x;
        force.y += pull * y;
        force.z += pull * z;
        force.potential += potential;
      }
    __syncthreads();
  }
  if (active)
    out[i] = force;
}
