// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox4x32-10.
static inline __attribute__((always_inline)) uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    uint hi0 = mul_hi(0xD2511F53u, c.x), hi1 = mul_hi(0xCD9E8D57u, c.z);
    c = (uint4)(hi1 ^ c.y ^ key.x, 0xCD9E8D57u * c.z, hi0 ^ c.w ^ key.y, 0xD2511F53u * c.x);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}

// n is a multiple of 4.
kernel void random_words(global uint *restrict out, uint2 seed, int n) {
  int i = get_global_id(0);
  if (i < n / 4)
    vstore4(philox((uint4)(i, 0, 0, 0), seed), i, out);
}

// Uniform in [0, 1), 24 bits.
kernel void random_floats(global float *restrict out, uint2 seed, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = (philox((uint4)(i, 0, 0, 0), seed).x >> 8) * (1.0f / 16777216);
}
