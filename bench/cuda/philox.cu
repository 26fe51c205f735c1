// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/philox.spl.
#include "Common.cuh"

constexpr unsigned M0 = 0xD2511F53;
constexpr unsigned M1 = 0xCD9E8D57;
constexpr unsigned W0 = 0x9E3779B9;
constexpr unsigned W1 = 0xBB67AE85;

__device__ uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    c = make_uint4(__umulhi(M1, c.z) ^ c.y ^ key.x, M1 * c.z, __umulhi(M0, c.x) ^ c.w ^ key.y,
                   M0 * c.x);
    key.x += W0;
    key.y += W1;
  }
  return c;
}

__device__ uint4 counter(Index i) {
  return make_uint4(static_cast<unsigned>(i),
                    static_cast<unsigned>(static_cast<std::int64_t>(i) >> 32), 0, 0);
}

extern "C" __global__ void random_words(unsigned *__restrict__ out, Index n, uint2 seed) {
  const Index i = globalX();
  const uint4 block = philox(counter(i), seed);
  const unsigned words[] = {block.x, block.y, block.z, block.w};
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (4 * i + k < n)
      out[4 * i + k] = words[k];
}

extern "C" __global__ void random_floats(float *__restrict__ out, Index n, uint2 seed) {
  const Index i = globalX();
  if (i < n)
    out[i] = (philox(counter(i), seed).x >> 8) * (1.0f / 16777216.0f);
}
