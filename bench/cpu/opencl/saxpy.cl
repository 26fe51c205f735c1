// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
kernel void saxpy(float alpha, global const float *restrict x, global float *restrict y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] += alpha * x[i];
}

// A few work-items compute all elements.
kernel void saxpy_stride(float alpha, global const float *restrict x, global float *restrict y,
                         int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    y[i] += alpha * x[i];
}
