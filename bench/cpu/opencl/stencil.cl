// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TILE 16
#define HALO 1
#define WIDTH (TILE + 2 * HALO)

// A step of heat diffusion with five points. A tile and its halo are in local memory.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
diffuse(global const float *restrict src, global float *restrict dst, int rows, int cols,
        float rate) {
  local float tile[WIDTH][WIDTH];
  int top = get_group_id(1) * TILE - HALO, left = get_group_id(0) * TILE - HALO;
  int me = get_local_id(1) * TILE + get_local_id(0);

  // Beyond the edge, the value of the edge is used.
  for (int k = me; k < WIDTH * WIDTH; k += TILE * TILE) {
    int row = clamp(top + k / WIDTH, 0, rows - 1), col = clamp(left + k % WIDTH, 0, cols - 1);
    tile[k / WIDTH][k % WIDTH] = src[row * cols + col];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  int row = get_global_id(1), col = get_global_id(0);
  if (row >= rows || col >= cols)
    return;
  int y = get_local_id(1) + HALO, x = get_local_id(0) + HALO;
  float centre = tile[y][x];
  float around = tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
  dst[row * cols + col] = centre + rate * (around - 4 * centre);
}
