// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BLOCK 256

// One group per row.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
softmax(global const float *restrict src, global float *restrict dst, int cols) {
  local float tile[BLOCK];
  int row = get_group_id(0), me = get_local_id(0);
  global const float *x = src + row * cols;
  global float *y = dst + row * cols;

  float largest = -INFINITY;
  for (int i = me; i < cols; i += BLOCK)
    largest = fmax(largest, x[i]);
  tile[me] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    if (me < width)
      tile[me] = fmax(tile[me], tile[me + width]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float peak = tile[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0;
  for (int i = me; i < cols; i += BLOCK) {
    float e = exp(x[i] - peak);
    y[i] = e;
    sum += e;
  }
  tile[me] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    if (me < width)
      tile[me] += tile[me + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float total = tile[0];

  for (int i = me; i < cols; i += BLOCK)
    y[i] /= total;
}
