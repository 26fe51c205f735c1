// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"
#include <numbers>

namespace bench::programs {
namespace {

constexpr std::int64_t Words = 624, Far = 397;

/// The generators are columns, as in the kernels: a row has the next words of all of them. A thread
/// takes blocks of columns, and computes consecutive ones at once.
struct Twin {
  static constexpr std::int64_t Block = 64;
  std::int64_t count;
  std::uint32_t *states, *words;
  float *numbers;

  void seed(const std::uint32_t *seeds) const {
#pragma omp parallel for
    for (std::int64_t first = 0; first < count; first += Block) {
      const std::int64_t end = std::min(first + Block, count);
      std::copy(seeds + first, seeds + end, states + first);
      for (std::int64_t k = 1; k < Words; ++k) {
        const std::uint32_t *before = states + (k - 1) * count;
        std::uint32_t *state = states + k * count;
#pragma omp simd
        for (std::int64_t i = first; i < end; ++i)
          state[i] = 1812433253u * (before[i] ^ (before[i] >> 30)) + static_cast<std::uint32_t>(k);
      }
    }
  }

  void generate() const {
#pragma omp parallel for
    for (std::int64_t first = 0; first < count; first += Block)
      for (std::int64_t k = 0; k < Words; ++k)
        generateRow(k, first, std::min(first + Block, count));
  }

  void generateRow(std::int64_t k, std::int64_t first, std::int64_t end) const {
    std::uint32_t *state = states + k * count, *out = words + k * count;
    const std::uint32_t *next = states + (k + 1) % Words * count,
                        *far = states + (k + Far) % Words * count;
#pragma omp simd
    for (std::int64_t i = first; i < end; ++i) {
      const std::uint32_t joined = (state[i] & 0x80000000u) | (next[i] & 0x7fffffffu);
      std::uint32_t y = far[i] ^ (joined >> 1) ^ (joined & 1 ? 0x9908b0dfu : 0);
      state[i] = y;
      y ^= y >> 11;
      y ^= (y << 7) & 0x9d2c5680u;
      y ^= (y << 15) & 0xefc60000u;
      out[i] = y ^ (y >> 18);
    }
  }

  void normal() const {
    const auto uniform = [](std::uint32_t word) {
      return float((word >> 8) + 1) * (1.0f / 16777216);
    };
#pragma omp parallel for
    for (std::int64_t k = 0; k < Words; k += 2)
      for (std::int64_t i = k * count; i < (k + 1) * count; ++i) {
        const float radius = std::sqrt(-2 * std::log(uniform(words[i])));
        const float angle = 2 * std::numbers::pi_v<float> * uniform(words[i + count]);
        numbers[i] = radius * std::cos(angle);
        numbers[i + count] = radius * std::sin(angle);
      }
  }
};

} // namespace

void mersenne(Case &c) {
  const std::int64_t count = c.size(2048, 75);
  const spl::Shape shape{Words, count};
  auto seeds = c.zeros<std::uint32_t>(count);
  for (std::int64_t i = 0; i < count; ++i)
    host(seeds)[i] = static_cast<std::uint32_t>(c.random()());
  auto states = c.zeros<std::uint32_t>(shape), words = c.zeros<std::uint32_t>(shape),
       statesTwin = c.zeros<std::uint32_t>(shape), wordsTwin = c.zeros<std::uint32_t>(shape);
  auto numbers = c.zeros<float>(shape), numbersTwin = c.zeros<float>(shape);
  const spl::Module kernels = c.load("programs/mersenne/mersenne.spl");
  const spl::LaunchConfig all{.global = {count}, .local = {32}};
  const Twin twin{count, host(statesTwin), host(wordsTwin), host(numbersTwin)};
  c.measure({.ours =
                 [&] {
                   c.launch(kernels["seed"], all, seeds, states);
                   c.launch(kernels["generate"], all, states, words);
                   c.launch(kernels["normal"], {.global = {count, Words / 2}}, words, numbers);
                 },
             .twin =
                 [&] {
                   twin.seed(host(seeds));
                   twin.generate();
                   twin.normal();
                 },
             .compare =
                 [&] {
                   c.expectEqual("words", words, wordsTwin);
                   c.expectNear("numbers", numbers, numbersTwin, 4e-6);
                 }});
}

} // namespace bench::programs
