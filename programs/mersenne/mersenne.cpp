// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <numbers>

namespace programs {
namespace {

constexpr std::int64_t Words = 624; // that a generator makes at once

/// The next words of all generators, a column for each.
std::vector<std::uint32_t> nextWords(std::vector<std::mt19937> &generators) {
  std::vector<std::uint32_t> words;
  for (std::int64_t k = 0; k < Words; ++k)
    for (std::mt19937 &generator : generators)
      words.push_back(static_cast<std::uint32_t>(generator()));
  return words;
}

double uniform(std::uint32_t word) { return ((word >> 8) + 1) / double(1 << 24); }

std::vector<float> normal(const std::vector<std::uint32_t> &words, std::size_t count) {
  std::vector<float> numbers(words.size());
  for (std::size_t row = 0; row < words.size(); row += 2 * count)
    for (std::size_t i = row; i < row + count; ++i) {
      const double radius = std::sqrt(-2 * std::log(uniform(words[i])));
      const double angle = 2 * std::numbers::pi * uniform(words[i + count]);
      numbers[i] = static_cast<float>(radius * std::cos(angle));
      numbers[i + count] = static_cast<float>(radius * std::sin(angle));
    }
  return numbers;
}

} // namespace

void mersenne(Run &run) {
  const auto count = static_cast<std::int64_t>(run.scaled(75));
  std::vector<std::uint32_t> seeds;
  std::vector<std::mt19937> generators;
  for (std::int64_t i = 0; i < count; ++i) {
    seeds.push_back(static_cast<std::uint32_t>(run.bits()));
    generators.emplace_back(seeds.back());
  }
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto first = context.allocUpload(seeds);
  auto states = context.alloc<std::uint32_t>({Words, count});
  auto words = context.alloc<std::uint32_t>({Words, count});
  auto numbers = context.alloc<float>({Words, count});
  const spl::LaunchConfig all{.global = {count}, .local = {32}};
  run.launch(kernels["seed"], all, first, states);
  for (int round = 0; round < 2; ++round) {
    run.launch(kernels["generate"], all, states, words);
    const std::vector<std::uint32_t> expected = nextWords(generators);
    run.expectEqual("words", words.download(), expected);
    run.launch(kernels["normal"], {.global = {count, Words / 2}}, words, numbers);
    run.expectNear("numbers", numbers.download(), normal(expected, std::size_t(count)), 2e-6);
  }
}

} // namespace programs
