// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of examples/murmur3.spl.
#include "Common.cuh"

constexpr unsigned C1 = 0xcc9e2d51;
constexpr unsigned C2 = 0x1b873593;

__device__ unsigned rotateLeft(unsigned x, int by) { return __funnelshift_l(x, x, by); }
__device__ unsigned mixed(unsigned word) { return rotateLeft(word * C1, 15) * C2; }

__device__ unsigned murmur3(const std::uint8_t *__restrict__ key, Index length, unsigned seed) {
  const Index words = length / 4;
  unsigned h = seed;
  for (Index w = 0; w < words; ++w) {
    unsigned k = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b)
      k |= static_cast<unsigned>(key[4 * w + b]) << 8 * b;
    h = rotateLeft(h ^ mixed(k), 13) * 5 + 0xe6546b64;
  }

  unsigned tail = 0;
  for (Index b = 4 * words; b < length; ++b)
    tail |= static_cast<unsigned>(key[b]) << 8 * (b - 4 * words);
  h ^= mixed(tail) ^ static_cast<unsigned>(length);

  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}

extern "C" __global__ void hash_keys(const std::uint8_t *__restrict__ bytes,
                                     const std::int64_t *__restrict__ starts, unsigned seed,
                                     unsigned *__restrict__ out, Index n) {
  const Index i = globalX();
  if (i < n)
    out[i] = murmur3(bytes + starts[i], static_cast<Index>(starts[i + 1] - starts[i]), seed);
}
