// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x. A is in compressed rows, with 32 work-items per row. They add their sums in local
// memory.
#define BLOCK 256
#define LANES 32

kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
spmv(global const int *restrict starts, global const int *restrict columns,
     global const float *restrict values, global const float *restrict x, global float *restrict y,
     int rows) {
  local float sums[BLOCK];
  int me = get_local_id(0), lane = me % LANES;
  int row = get_global_id(0) / LANES;
  float sum = 0;
  if (row < rows)
    for (int k = starts[row] + lane; k < starts[row + 1]; k += LANES)
      sum += values[k] * x[columns[k]];
  sums[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = LANES / 2; width > 0; width /= 2) {
    if (lane < width)
      sums[me] += sums[me + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && row < rows)
    y[row] = sums[me];
}
