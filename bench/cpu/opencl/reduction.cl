// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C 1.2 has no operations of warps and groups. Sums are computed in local memory.
#define BLOCK 256

// Each group stores one partial sum.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
sum_partial(global const float *restrict x, global float *restrict partial, int n) {
  local float tile[BLOCK];
  int me = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += x[i];
  tile[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    if (me < width)
      tile[me] += tile[me + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    partial[get_group_id(0)] = tile[0];
}

// One atomic per group.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
sum_atomic(global const int *restrict x, global int *restrict total, int n) {
  local int tile[BLOCK];
  int me = get_local_id(0), i = get_global_id(0);
  tile[me] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    if (me < width)
      tile[me] += tile[me + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (me == 0)
    atomic_add(total, tile[0]);
}
