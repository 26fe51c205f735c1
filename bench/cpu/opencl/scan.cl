// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive prefix sums by Blelloch's work-efficient scan.
#define BLOCK 128
#define TILE (2 * BLOCK) // each work-item has two elements
#define SMALL 1024

kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_blocks(global const int *restrict x, global int *restrict out, global int *restrict totals,
            int n) {
  local int tile[TILE];
  int me = get_local_id(0), first = get_group_id(0) * TILE;
  for (int k = 0; k < 2; ++k) {
    int i = first + me + k * BLOCK;
    tile[me + k * BLOCK] = i < n ? x[i] : 0;
  }

  // Up the tree: sums over increasing lengths.
  for (int stride = 1; stride < TILE; stride *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = (me + 1) * stride * 2 - 1;
    if (at < TILE)
      tile[at] += tile[at - stride];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me == 0) {
    totals[get_group_id(0)] = tile[TILE - 1];
    tile[TILE - 1] = 0;
  }

  // Down the tree: each node passes its value to the left and the sum to the right.
  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = (me + 1) * stride * 2 - 1;
    if (at < TILE) {
      int left = tile[at - stride];
      tile[at - stride] = tile[at];
      tile[at] += left;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < 2; ++k) {
    int i = first + me + k * BLOCK;
    if (i < n)
      out[i] = tile[me + k * BLOCK];
  }
}

kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
add_offsets(global int *restrict out, global const int *restrict offsets, int n) {
  int first = get_group_id(0) * TILE;
  for (int k = 0; k < 2; ++k) {
    int i = first + get_local_id(0) + k * BLOCK;
    if (i < n)
      out[i] += offsets[get_group_id(0)];
  }
}

// One group scans any number of elements. Each step of a scan in local memory doubles the distance
// (Hillis and Steele 1986) and reads one half of sums while it writes the other.
kernel __attribute__((reqd_work_group_size(SMALL, 1, 1))) void
scan_small(global const int *restrict x, global int *restrict out, int n) {
  local int sums[2][SMALL];
  int me = get_local_id(0), carried = 0;
  for (int first = 0; first < n; first += SMALL) {
    int i = first + me, mine = i < n ? x[i] : 0, from = 0;
    sums[0][me] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < SMALL; distance *= 2) {
      int sum = sums[from][me];
      if (me >= distance)
        sum += sums[from][me - distance];
      from = 1 - from;
      sums[from][me] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
      out[i] = carried + sums[from][me] - mine;
    carried += sums[from][SMALL - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
