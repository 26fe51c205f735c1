// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <bit>
#include <cstring>

namespace bench::examples {
namespace {

std::uint32_t mixed(std::uint32_t word) { return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u; }

std::uint32_t hash(const std::uint8_t *key, std::int64_t size, std::uint32_t seed) {
  std::uint32_t h = seed;
  std::int64_t i = 0;
  for (; i + 4 <= size; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, key + i, 4);
    h = std::rotl(h ^ mixed(word), 13) * 5 + 0xe6546b64u;
  }
  std::uint32_t tail = 0;
  for (int b = 0; i < size; ++i, ++b)
    tail |= std::uint32_t(key[i]) << (8 * b);
  h ^= mixed(tail) ^ std::uint32_t(size);
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

void twin(const std::uint8_t *bytes, const std::int64_t *starts, std::uint32_t seed,
          std::uint32_t *out, std::int64_t n) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i)
    out[i] = hash(bytes + starts[i], starts[i + 1] - starts[i], seed);
}

} // namespace

void murmur3(Case &c) {
  const std::int64_t n = c.size(1 << 20, 301);
  const std::uint32_t seed = 7;
  std::vector<std::int64_t> offsets = {0};
  for (std::int64_t i = 0; i < n; ++i)
    offsets.push_back(offsets.back() + c.draw(1, 64));
  const auto starts = c.context().allocUpload(offsets);
  const auto bytes = c.uniform<std::uint8_t>(offsets.back(), 0, 255);
  auto out = c.zeros<std::uint32_t>(n), outTwin = c.zeros<std::uint32_t>(n);
  const spl::Kernel kernel = c.load("examples/murmur3.spl")["hash_keys"];
  c.measure({.ours = [&] { c.launch(kernel, {.global = {n}}, bytes, starts, seed, out); },
             .twin = [&] { twin(host(bytes), host(starts), seed, host(outTwin), n); },
             .compare = [&] { c.expectEqual("out", out, outTwin); }});
}

} // namespace bench::examples
