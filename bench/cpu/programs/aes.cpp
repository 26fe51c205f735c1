// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <bit>

namespace bench::programs {
namespace {

using Words = std::array<std::uint32_t, 4>;
using Byte = std::uint8_t;

Byte doubled(Byte x) { return static_cast<Byte>(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

/// The usual implementation without instructions for AES: four tables that substitute a byte and
/// mix a column at once.
class Aes {
public:
  explicit Aes(const Words &key) {
    makeBox();
    for (int x = 0; x < 256; ++x) {
      const std::uint32_t s = box[x], twice = doubled(box[x]);
      const std::uint32_t column = twice | s << 8 | s << 16 | (twice ^ s) << 24;
      for (int row = 0; row < 4; ++row)
        tables[row][x] = std::rotl(column, 8 * row);
    }
    expand(key);
  }

  Words encrypted(const Words &plain) const {
    Words state, next;
    for (int column = 0; column < 4; ++column)
      state[column] = plain[column] ^ keys[0][column];
    for (int round = 1; round < 10; ++round, state = next)
      for (int column = 0; column < 4; ++column)
        next[column] = tables[0][state[column] & 255] ^
                       tables[1][state[(column + 1) % 4] >> 8 & 255] ^
                       tables[2][state[(column + 2) % 4] >> 16 & 255] ^
                       tables[3][state[(column + 3) % 4] >> 24] ^ keys[round][column];
    for (int column = 0; column < 4; ++column) {
      next[column] = keys[10][column];
      for (int row = 0; row < 4; ++row)
        next[column] ^= std::uint32_t(box[state[(column + row) % 4] >> 8 * row & 255]) << 8 * row;
    }
    return next;
  }

private:
  /// Walks through all numbers but 0 as powers of 3, and through their inverses.
  void makeBox() {
    Byte p = 1, q = 1;
    do {
      p = static_cast<Byte>(p ^ doubled(p));
      q ^= static_cast<Byte>(q << 1);
      q ^= static_cast<Byte>(q << 2);
      q ^= static_cast<Byte>(q << 4);
      q ^= q & 0x80 ? 0x09 : 0;
      box[p] = q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63;
    } while (p != 1);
    box[0] = 0x63;
  }

  void expand(const Words &key) {
    keys[0] = key;
    Byte constant = 1;
    for (int round = 1; round <= 10; ++round, constant = doubled(constant)) {
      const std::uint32_t last = std::rotr(keys[round - 1][3], 8);
      std::uint32_t word = constant;
      for (int row = 0; row < 4; ++row)
        word ^= std::uint32_t(box[last >> 8 * row & 255]) << 8 * row;
      for (int column = 0; column < 4; ++column)
        keys[round][column] = word ^= keys[round - 1][column];
    }
  }

  Byte box[256];
  std::uint32_t tables[4][256];
  Words keys[11];
};

void twin(const Words &key, const Words *plain, Words *cipher, std::int64_t n) {
  const Aes cipherOfKey(key);
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    cipher[i] = cipherOfKey.encrypted(plain[i]);
}

} // namespace

void aes(Case &c) {
  const std::int64_t n = c.size(1 << 20, 1001);
  const auto word = [&] { return static_cast<std::uint32_t>(c.random()()); };
  const Words key = {word(), word(), word(), word()};
  std::vector<Words> blocks(n);
  for (Words &block : blocks)
    block = {word(), word(), word(), word()};
  const auto plain = c.context().allocUpload(blocks);
  auto roundKeys = c.zeros<Words>(11), cipher = c.zeros<Words>(n), cipherTwin = c.zeros<Words>(n);
  const spl::Module kernels = c.load("programs/aes/aes.spl");
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["expand_key"], {.global = {1}, .local = {1}}, key, roundKeys);
                   c.launch(kernels["encrypt"], {.global = {n / 2 + 1}}, plain, roundKeys, cipher);
                 },
             .twin = [&] { twin(key, host(plain), host(cipherTwin), n); },
             .compare =
                 [&] {
                   c.expectEqual("cipher", numbers<std::uint32_t>(cipher),
                                 numbers<std::uint32_t>(cipherTwin));
                 }});
}

} // namespace bench::programs
