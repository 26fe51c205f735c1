// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BLOCK 128

typedef struct {
  float count, mean, m2;
} Moments;

static inline __attribute__((always_inline)) Moments with_number(Moments of, float x) {
  float count = of.count + 1;
  float delta = x - of.mean;
  float mean = of.mean + delta / count;
  return (Moments){count, mean, of.m2 + delta * (x - mean)};
}

static inline __attribute__((always_inline)) Moments merged(Moments a, Moments b) {
  float count = a.count + b.count;
  if (count == 0)
    return a;
  float delta = b.mean - a.mean;
  float share = b.count / count;
  return (Moments){count, a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.count * share};
}

// One group per row.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
layer_norm(global const float *restrict src, global const float *restrict gain,
           global const float *restrict bias, global float *restrict dst, float epsilon, int cols) {
  local Moments parts[BLOCK];
  int row = get_group_id(0), me = get_local_id(0);
  global const float *x = src + row * cols;

  Moments mine = {0, 0, 0};
  for (int i = me; i < cols; i += BLOCK)
    mine = with_number(mine, x[i]);
  parts[me] = mine;
  for (int width = BLOCK / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < width)
      parts[me] = merged(parts[me], parts[me + width]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  Moments all = parts[0];
  float scale = rsqrt(all.m2 / all.count + epsilon);
  for (int i = me; i < cols; i += BLOCK)
    dst[row * cols + i] = (x[i] - all.mean) * scale * gain[i] + bias[i];
}
