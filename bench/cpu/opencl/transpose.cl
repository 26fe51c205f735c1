// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// T is the type of the elements.
#define TILE 32
#define ROWS 8 // each work-item moves TILE / ROWS elements

kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1))) void
transpose(global const T *restrict src, global T *restrict dst, int rows, int cols) {
  local T tile[TILE][TILE + 1];
  int x = get_local_id(0), y = get_local_id(1);
  int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  for (int k = 0; k < TILE; k += ROWS)
    if (top + y + k < rows && left + x < cols)
      tile[y + k][x] = src[(top + y + k) * cols + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < TILE; k += ROWS)
    if (left + y + k < cols && top + x < rows)
      dst[(left + y + k) * rows + top + x] = tile[x][y + k];
}
