// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TILE 128
#define SOFTENING 0.01f

typedef struct {
  float4 pos; // x, y, z and the mass
  float4 vel;
} Body;

static inline __attribute__((always_inline)) float4 pull(float4 on, float4 from) {
  float4 d = from - on;
  d.w = 0;
  float inverse = 1 / sqrt(dot(d, d) + SOFTENING);
  return d * (from.w * inverse * inverse * inverse);
}

// A step of a simulation with all pairs of bodies. Tiles of bodies are in local memory.
kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
step_bodies(global const Body *restrict bodies, global Body *restrict out, float dt, int n) {
  local float4 tile[TILE];
  int i = get_global_id(0), me = get_local_id(0);
  float4 pos = i < n ? bodies[i].pos : (float4)(0);
  float4 acc = 0;
  for (int first = 0; first < n; first += TILE) {
    tile[me] = first + me < n ? bodies[first + me].pos : (float4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (int k = 0; k < TILE; ++k)
      acc += pull(pos, tile[k]); // a missing body has no mass
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) {
    Body body = bodies[i];
    body.vel += acc * dt;
    body.pos += (float4)(body.vel.xyz, 0) * dt;
    out[i] = body;
  }
}
