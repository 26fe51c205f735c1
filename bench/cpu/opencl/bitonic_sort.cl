// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TILE 256

// Sorts each tile of keys in local memory, ascending. The last tile is padded with the largest key.
kernel __attribute__((reqd_work_group_size(TILE / 2, 1, 1))) void
sort_tiles(global int *restrict keys, int n) {
  local int tile[TILE];
  int me = get_local_id(0), first = get_group_id(0) * TILE;
  for (int k = 0; k < 2; ++k) {
    int i = first + me + k * TILE / 2;
    tile[me + k * TILE / 2] = i < n ? keys[i] : INT_MAX;
  }
  for (int size = 2; size <= TILE; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int i = 2 * me - (me & (stride - 1)), j = i + stride;
      if ((tile[i] > tile[j]) == ((i & size) == 0)) {
        int other = tile[i];
        tile[i] = tile[j];
        tile[j] = other;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 2; ++k) {
    int i = first + me + k * TILE / 2;
    if (i < n)
      keys[i] = tile[me + k * TILE / 2];
  }
}

// One step of the network. All comparisons move small keys to the start, so missing elements at the
// end stay there. The first step of each size mirrors the second half.
kernel void sort_step(global int *restrict keys, int n, int size, int stride) {
  int pair = get_global_id(0);
  int i = 2 * pair - (pair & (stride - 1));
  int j = stride != size / 2 ? i + stride : (i / size) * size + size - 1 - i % size;
  if (j < n && keys[i] > keys[j]) {
    int other = keys[i];
    keys[i] = keys[j];
    keys[j] = other;
  }
}
