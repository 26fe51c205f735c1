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

/// The first two words of the block of a key, which is the number to the base 26 in six letters.
struct Key {
  std::uint32_t first = 0, second = 0x80u << 16;

  explicit Key(std::uint32_t number) {
    for (int i = 0; i < 6; ++i, number /= 26)
      (i < 4 ? first : second) |= (97 + number % 26) << (8 * (i % 4));
  }
};

template <int Round> inline std::uint32_t mixed(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if constexpr (Round == 0)
    return (b & c) | (~b & d);
  else if constexpr (Round == 1)
    return (d & b) | (~d & c);
  else if constexpr (Round == 2)
    return b ^ c ^ d;
  else
    return c ^ (b | ~d);
}

template <int Step> inline void step(std::uint32_t (&s)[4], std::uint32_t x, std::uint32_t y) {
  constexpr int Round = Step / 16, Factors[] = {1, 5, 3, 7}, Offsets[] = {0, 1, 5, 0};
  constexpr int Word = (Factors[Round] * Step + Offsets[Round]) % 16;
  const std::uint32_t word = Word == 0 ? x : Word == 1 ? y : Word == 14 ? 48 : 0;
  const std::uint32_t sum = s[0] + mixed<Round>(s[1], s[2], s[3]) + addends.of[Step] + word;
  s[0] = s[3];
  s[3] = s[2];
  s[2] = s[1];
  s[1] += std::rotl(sum, Rotations[Round][Step % 4]);
}

template <int... Steps>
[[gnu::always_inline]] inline Digest md5Of(std::uint32_t x, std::uint32_t y,
                                           std::integer_sequence<int, Steps...>) {
  std::uint32_t s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  (step<Steps>(s, x, y), ...);
  return {0x67452301 + s[0], 0xefcdab89 + s[1], 0x98badcfe + s[2], 0x10325476 + s[3]};
}

[[gnu::always_inline]] inline Digest md5Of(std::uint32_t x, std::uint32_t y) {
  return md5Of(x, y, std::make_integer_sequence<int, 64>());
}

Digest md5Of(std::uint32_t number) {
  const Key key(number);
  return md5Of(key.first, key.second);
}

/// Computes the first words of the digests of consecutive keys at once.
std::uint32_t twin(std::uint32_t keys, const Digest &digest) {
  constexpr std::uint32_t Block = 64;
  std::uint32_t found = ~0u;
#pragma omp parallel for reduction(min : found)
  for (std::uint32_t first = 0; first < keys; first += Block) {
    std::uint32_t x[Block], y[Block], word[Block];
    for (std::uint32_t i = 0; i < Block; ++i) {
      const Key key(first + i);
      x[i] = key.first;
      y[i] = key.second;
    }
#pragma omp simd
    for (std::uint32_t i = 0; i < Block; ++i)
      word[i] = md5Of(x[i], y[i])[0];
    for (std::uint32_t i = 0; i < Block; ++i)
      if (word[i] == digest[0] && first + i < keys && md5Of(first + i) == digest)
        found = std::min(found, first + i);
  }
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
