// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/mersenne/mersenne.spl.
#include "../Common.cuh"

constexpr int N = 624;
constexpr int M = 397;
constexpr float PI = 3.14159265358979323846f;

extern "C" __global__ void seed(const unsigned *__restrict__ seeds, Index n,
                                unsigned *__restrict__ states) {
  const Index i = globalX();
  if (i >= n)
    return;
  unsigned word = seeds[i];
  for (int k = 0; k < N; ++k) {
    states[k * n + i] = word;
    word = 1812433253 * (word ^ word >> 30) + k + 1;
  }
}

__device__ unsigned twisted(unsigned word, unsigned next, unsigned far) {
  const unsigned joined = (word & 0x80000000) | (next & 0x7fffffff);
  return far ^ joined >> 1 ^ (joined & 1 ? 0x9908b0df : 0);
}

__device__ unsigned tempered(unsigned y) {
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680;
  y ^= y << 15 & 0xefc60000;
  return y ^ y >> 18;
}

extern "C" __global__ void generate(unsigned *__restrict__ states, unsigned *__restrict__ words,
                                    Index n) {
  const Index i = globalX();
  if (i >= n)
    return;
  for (int k = 0; k < N; ++k) {
    const unsigned word =
        twisted(states[k * n + i], states[(k + 1) % N * n + i], states[(k + M) % N * n + i]);
    states[k * n + i] = word;
    words[k * n + i] = tempered(word);
  }
}

__device__ float uniform(unsigned word) { return ((word >> 8) + 1) * (1.0f / 16777216); }

extern "C" __global__ void normal(const unsigned *__restrict__ words, float *__restrict__ numbers,
                                  Index rows, Index cols) {
  const Index i = globalX();
  const Index k = 2 * globalY();
  if (k + 1 >= rows || i >= cols)
    return;
  const Index at = k * cols + i;
  const float radius = sqrtf(-2 * logf(uniform(words[at])));
  float sine, cosine;
  sincosf(2 * PI * uniform(words[at + cols]), &sine, &cosine);
  numbers[at] = radius * cosine;
  numbers[at + cols] = radius * sine;
}
