// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
kernel void vector_add(global const float *restrict a, global const float *restrict b,
                       global float *restrict out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = a[i] + b[i];
}
