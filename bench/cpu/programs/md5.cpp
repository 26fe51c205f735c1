// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <bit>

namespace bench::programs {
namespace {

using Digest = std::array<std::uint32_t, 4>;

constexpr int Rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

struct Addends {
  std::uint32_t of[64];
  Addends() {
    for (int i = 0; i < 64; ++i)
      of[i] = static_cast<std::uint32_t>(std::floor(std::abs(std::sin(i + 1.0)) * 0x1p32));
  }
};
const Addends addends;

/// The digest of the key with a number: six letters, the last digit to the base 26 first.
Digest md5Of(std::uint32_t number) {
  std::uint32_t block[16] = {};
  for (int i = 0; i < 6; ++i, number /= 26)
    block[i / 4] |= (97 + number % 26) << (8 * (i % 4));
  block[1] |= 0x80u << 16;
  block[14] = 48;
  std::uint32_t a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma clang loop unroll(full)
  for (int i = 0; i < 64; ++i) {
    const int round = i / 16;
    const std::uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                                : round == 1 ? (d & b) | (~d & c)
                                : round == 2 ? b ^ c ^ d
                                             : c ^ (b | ~d);
    const int word = round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i;
    const std::uint32_t sum = a + mixed + addends.of[i] + block[word % 16];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, Rotations[round][i % 4]);
  }
  return {0x67452301 + a, 0xefcdab89 + b, 0x98badcfe + c, 0x10325476 + d};
}

std::uint32_t twin(std::uint32_t keys, const Digest &digest) {
  std::uint32_t found = ~0u;
#pragma omp parallel for reduction(min : found)
  for (std::uint32_t i = 0; i < keys; ++i)
    if (md5Of(i) == digest)
      found = std::min(found, i);
  return found;
}

} // namespace

void md5(Case &c) {
  const auto keys = static_cast<std::uint32_t>(c.size(2 << 20, 3001));
  const Digest digest = md5Of(keys / 3 * 2);
  auto found = c.zeros<std::uint32_t>(1), foundTwin = c.zeros<std::uint32_t>(1);
  const spl::Kernel kernel = c.load("programs/md5/md5.spl")["search"];
  c.measure({.ours =
                 [&] {
                   found.fill(~0u);
                   c.launch(kernel, {.global = {c.size(1 << 16, 512)}, .local = {128}}, keys,
                            digest, found);
                 },
             .twin = [&] { host(foundTwin)[0] = twin(keys, digest); },
             .compare = [&] { c.expectEqual("found", found, foundTwin); }});
}

} // namespace bench::programs
