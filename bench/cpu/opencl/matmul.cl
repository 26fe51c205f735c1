// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TILE 16

// Each work-item computes one element of the product. All matrices have n rows and n columns.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul_naive(global const float *restrict a, global const float *restrict b,
             global float *restrict c, int n) {
  int row = get_global_id(1), col = get_global_id(0);
  if (row >= n || col >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// Tiles of a and b are copied to local memory.
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul_tiled(global const float *restrict a, global const float *restrict b,
             global float *restrict c, int n) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int row = get_global_id(1), col = get_global_id(0);
  int y = get_local_id(1), x = get_local_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    tile_a[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    tile_b[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < TILE; ++k)
      sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
}
