// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/nbody.spl.
#include "Common.cuh"

constexpr int TILE = 128;
constexpr float SOFTENING = 0.01f;

struct Body {
  float4 pos; // x, y, z and the mass
  float4 vel;
};

__device__ void pull(float3 &acc, float4 on, float4 from) {
  const float x = from.x - on.x;
  const float y = from.y - on.y;
  const float z = from.z - on.z;
  const float inverse = 1 / sqrtf(x * x + y * y + z * z + SOFTENING);
  const float strength = from.w * inverse * inverse * inverse;
  acc.x += x * strength;
  acc.y += y * strength;
  acc.z += z * strength;
}

extern "C" __global__ void __launch_bounds__(TILE)
    step(const Body *__restrict__ bodies, Body *__restrict__ out, Index n, float dt) {
  __shared__ float4 tile[TILE];
  const float4 none = make_float4(0, 0, 0, 0);
  const int me = threadIdx.x;
  const Index i = static_cast<Index>(blockIdx.x) * TILE + me;
  const float4 pos = i < n ? bodies[i].pos : none;

  float3 acc = make_float3(0, 0, 0);
  for (Index first = 0; first < n; first += TILE) {
    tile[me] = first + me < n ? bodies[first + me].pos : none;
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < TILE; ++k)
      pull(acc, pos, tile[k]);
    __syncthreads();
  }

  if (i < n) {
    Body body = bodies[i];
    body.vel.x += acc.x * dt;
    body.vel.y += acc.y * dt;
    body.vel.z += acc.z * dt;
    body.pos.x += body.vel.x * dt;
    body.pos.y += body.vel.y * dt;
    body.pos.z += body.vel.z * dt;
    out[i] = body;
  }
}
