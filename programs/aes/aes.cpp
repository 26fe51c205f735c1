// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <array>
#include <bit>

namespace programs {
namespace {

using Byte = std::uint8_t;
using Block = std::array<Byte, 16>;
using Words = std::array<std::uint32_t, 4>;

Byte product(Byte a, Byte b) {
  Byte result = 0;
  for (; b; b >>= 1) {
    result ^= b & 1 ? a : 0;
    a = static_cast<Byte>(a << 1 ^ (a & 0x80 ? 0x1b : 0));
  }
  return result;
}

/// The affine function of the inverse, which is the 254th power.
Byte substitute(Byte x) {
  Byte inverse = 1;
  for (int i = 0; i < 254; ++i)
    inverse = product(inverse, x);
  Byte result = 0x63;
  for (int i = 0; i < 5; ++i)
    result ^= std::rotl(inverse, i);
  return result;
}

/// AES-128 byte by byte, in the order of FIPS 197.
class Reference {
public:
  explicit Reference(const Block &key) {
    for (int x = 0; x < 256; ++x)
      box[x] = substitute(static_cast<Byte>(x));
    keys[0] = key;
    Byte constant = 1;
    for (int round = 1; round <= 10; ++round, constant = product(constant, 2))
      for (int i = 0; i < 16; ++i) {
        // The word before is the last one of the round before, turned and substituted, or in here.
        const Byte before = i < 4 ? box[keys[round - 1][12 + (i + 1) % 4]] : keys[round][i - 4];
        keys[round][i] = keys[round - 1][i] ^ before ^ (i == 0 ? constant : 0);
      }
  }

  Block encrypted(Block state) const {
    add(state, keys[0]);
    for (int round = 1; round <= 10; ++round) {
      shift(state);
      if (round < 10)
        mix(state);
      add(state, keys[round]);
    }
    return state;
  }

private:
  static void add(Block &state, const Block &key) {
    for (int i = 0; i < 16; ++i)
      state[i] ^= key[i];
  }

  void shift(Block &state) const {
    const Block old = state;
    for (int i = 0; i < 16; ++i)
      state[i] = box[old[(i + 4 * (i % 4)) % 16]];
  }

  static void mix(Block &state) {
    const Block old = state;
    for (int i = 0; i < 16; ++i) {
      const auto below = [&](int rows) { return old[i / 4 * 4 + (i + rows) % 4]; };
      state[i] = product(below(0), 2) ^ product(below(1), 3) ^ below(2) ^ below(3);
    }
  }

  Byte box[256];
  Block keys[11];
};

std::vector<Block> encrypted(Run &run, const spl::Module &kernels, const Block &key,
                             const std::vector<Block> &blocks) {
  std::vector<Words> words(blocks.size());
  std::ranges::transform(blocks, words.begin(),
                         [](const Block &block) { return std::bit_cast<Words>(block); });
  auto roundKeys = run.context().alloc<Words>(11);
  const auto plain = run.context().allocUpload(words);
  auto cipher = run.context().alloc<Words>(plain.size());
  run.launch(kernels["expand_key"], {.global = {1}, .local = {1}}, std::bit_cast<Words>(key),
             roundKeys);
  run.launch(kernels["encrypt"], {.global = {plain.size() / 2 + 1}}, plain, roundKeys, cipher);
  std::vector<Block> result(blocks.size());
  std::ranges::transform(cipher.download(), result.begin(),
                         [](const Words &block) { return std::bit_cast<Block>(block); });
  return result;
}

std::vector<Byte> bytes(const std::vector<Block> &blocks) {
  std::vector<Byte> result;
  for (const Block &block : blocks)
    result.insert(result.end(), block.begin(), block.end());
  return result;
}

} // namespace

void aes(Run &run) {
  const spl::Module kernels = run.load();
  // Appendix C.1 of FIPS 197.
  Block counted, repeated;
  for (int i = 0; i < 16; ++i) {
    counted[i] = static_cast<Byte>(i);
    repeated[i] = static_cast<Byte>(0x11 * i);
  }
  const Block published = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                           0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  run.expectEqual("published", bytes(encrypted(run, kernels, counted, {repeated})),
                  bytes({published}));

  const auto random = [&](Block &block) {
    std::ranges::generate(block, [&] { return static_cast<Byte>(run.bits()); });
  };
  Block key;
  random(key);
  std::vector<Block> blocks(run.scaled(1009)), expected;
  const Reference reference(key);
  for (Block &block : blocks) {
    random(block);
    expected.push_back(reference.encrypted(block));
  }
  run.expectEqual("cipher", bytes(encrypted(run, kernels, key, blocks)), bytes(expected));
}

} // namespace programs
