// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

namespace programs {
namespace {

using Digest = std::array<std::uint32_t, 4>;

/// The digest of a text, as RFC 1321 describes it. The text and its length fit into one block.
Digest md5Of(std::string_view text) {
  static constexpr int rotations[4][4] = {
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::uint32_t block[16] = {};
  for (std::size_t i = 0; i <= text.size(); ++i)
    block[i / 4] |= (i < text.size() ? std::uint8_t(text[i]) : 0x80u) << (8 * (i % 4));
  block[14] = 8 * static_cast<std::uint32_t>(text.size());

  Digest digest = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  auto [a, b, c, d] = digest;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t mixed[] = {(b & c) | (~b & d), (b & d) | (c & ~d), b ^ c ^ d, c ^ (b | ~d)};
    const int word[] = {i, 5 * i + 1, 3 * i + 5, 7 * i};
    const auto addend =
        static_cast<std::uint32_t>(std::floor(std::abs(std::sin(i + 1.0)) * 0x1p32));
    const std::uint32_t sum = a + mixed[i / 16] + block[word[i / 16] % 16] + addend;
    const std::uint32_t turned = b + std::rotl(sum, rotations[i / 16][i % 4]);
    a = std::exchange(d, std::exchange(c, std::exchange(b, turned)));
  }
  return {digest[0] + a, digest[1] + b, digest[2] + c, digest[3] + d};
}

std::string keyOf(std::uint32_t number) {
  std::string key;
  for (; key.size() < 6; number /= 26)
    key += static_cast<char>('a' + number % 26);
  return key;
}

} // namespace

void md5(Run &run) {
  const auto keys = static_cast<std::uint32_t>(run.scaled(9001));
  const std::uint32_t secret = run.below(keys);
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  auto found = context.alloc<std::uint32_t>(1);
  const auto search = [&](const Digest &digest) {
    found.fill(~0u);
    run.launch(kernels["search"], {.global = {5000}, .local = {128}}, keys, digest, found);
    return found.download();
  };
  // The first test of the RFC that is not trivial, so that the reference is not merely as wrong.
  const Digest abc = md5Of("abc");
  run.expectEqual<std::uint32_t>("md5(abc)", {abc.begin(), abc.end()},
                                 {0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128});
  run.expectEqual("found", search(md5Of(keyOf(secret))), {secret});
  run.expectEqual("found", search(md5Of(keyOf(keys - 1))), {keys - 1});
  run.expectEqual("found", search(md5Of(keyOf(keys))), {~0u});
}

} // namespace programs
