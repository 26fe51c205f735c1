// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/md5/md5.spl.
#include "../Common.cuh"

constexpr unsigned LETTERS = 26;
constexpr int KEY_LENGTH = 6;

struct Words {
  unsigned words[16];
};

__device__ Words keyBlock(unsigned number) {
  Words block = {};
#pragma unroll
  for (int i = 0; i < KEY_LENGTH; ++i) {
    block.words[i / 4] |= (97 + number % LETTERS) << 8 * (i % 4);
    number /= LETTERS;
  }
  block.words[KEY_LENGTH / 4] |= 0x80u << 8 * (KEY_LENGTH % 4);
  block.words[14] = 8 * KEY_LENGTH;
  return block;
}

__device__ uint4 md5(const Words &block) {
  constexpr unsigned ADDENDS[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391};
  constexpr int ROTATIONS[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  constexpr uint4 START = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  unsigned a = START.x;
  unsigned b = START.y;
  unsigned c = START.z;
  unsigned d = START.w;
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    unsigned mixed;
    int word;
    if (i < 16) {
      mixed = (b & c) | (~b & d);
      word = i;
    } else if (i < 32) {
      mixed = (d & b) | (~d & c);
      word = 5 * i + 1;
    } else if (i < 48) {
      mixed = b ^ c ^ d;
      word = 3 * i + 5;
    } else {
      mixed = c ^ (b | ~d);
      word = 7 * i;
    }
    const unsigned sum = a + mixed + ADDENDS[i] + block.words[word % 16];
    a = d;
    d = c;
    c = b;
    b += __funnelshift_l(sum, sum, ROTATIONS[i / 16][i % 4]);
  }
  return make_uint4(START.x + a, START.y + b, START.z + c, START.w + d);
}

extern "C" __global__ void search(unsigned keys, uint4 digest, unsigned *__restrict__ found) {
  for (Index i = globalX(); i < keys; i += gridSize()) {
    const unsigned number = static_cast<unsigned>(i);
    const uint4 mine = md5(keyBlock(number));
    if (mine.x == digest.x && mine.y == digest.y && mine.z == digest.z && mine.w == digest.w)
      atomicMin(found, number);
  }
}
