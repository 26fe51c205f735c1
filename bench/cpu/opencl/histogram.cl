// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BINS 256

// Each group counts in local memory, and then adds its counts to the result.
kernel void histogram(global const uchar *restrict bytes, global uint *restrict counts, int n) {
  local uint bins[BINS];
  for (int bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
    bins[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&bins[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int bin = get_local_id(0); bin < BINS; bin += get_local_size(0))
    if (bins[bin] != 0)
      atomic_add(&counts[bin], bins[bin]);
}
