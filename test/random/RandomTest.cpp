// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that random programs have the same results on every target as in the reference interpreter
// (test/reference). SPL_RANDOM=FIRST:COUNT tries other seeds.
#include "test/random/Comparison.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace spl;
using namespace spl::random;
using generator::Flavour;

namespace {

/// The number of programs that are compiled together.
constexpr std::uint64_t inFile = 8;

struct Seeds {
  std::uint64_t first = 0, count;
  bool isGiven = false;
};

Seeds seedsOr(std::uint64_t count) {
  Seeds seeds{.count = count};
  if (const char *given = std::getenv("SPL_RANDOM")) {
    seeds.isGiven = true;
    if (std::sscanf(given, "%lu:%lu", &seeds.first, &seeds.count) != 2)
      throw std::runtime_error("SPL_RANDOM is FIRST:COUNT");
  }
  return seeds;
}

void print(const Counts &counts, std::chrono::duration<double> took) {
  std::printf(
      "%zu programs, %zu with contracts; %zu launches, %zu met one, %zu fault, %zu of those "
      "that met one, %zu too long; %zu runs; %.0f s, of them compiling %.0f, interpreting "
      "%.0f, running %.0f\n",
      counts.programs, counts.contracts, counts.launches, counts.met, counts.faults,
      counts.metFaults, counts.tooLong, counts.runs, took.count(), counts.compiling,
      counts.interpreting, counts.running);
}

/// Tries all programs, until the third mismatch.
template <class F>
Counts tryPrograms(const Seeds &seeds, std::optional<Flavour> flavour, F &&plan) {
  Counts counts;
  const auto start = std::chrono::steady_clock::now();
  std::size_t mismatches = 0;
  const std::uint64_t end = seeds.first + seeds.count;
  for (std::uint64_t first = seeds.first; first < end && mismatches != 3; first += inFile) {
    std::vector<generator::Program> programs;
    for (std::uint64_t seed = first; seed != std::min(first + inFile, end); ++seed)
      programs.push_back(generator::generate(seed, flavour));
    std::printf("programs from seed %lu\n", first); // printed first, in case a program crashes
    std::fflush(stdout);
    if (const std::optional<Mismatch> found = compare(programs, plan(first / inFile), counts)) {
      ADD_FAILURE() << found->str();
      if (std::getenv("SPL_RANDOM")) // when run by hand, also reduces the program
        std::printf("reduced: %s\n", reduced(*found, plan(first / inFile).launches).str().c_str());
      ++mismatches;
    }
  }
  print(counts, std::chrono::steady_clock::now() - start);
  return counts;
}

} // namespace

TEST(Random, ProgramsDoWhatTheReferenceSays) {
  const Seeds seeds = seedsOr(96);
  const Counts counts = tryPrograms(seeds, std::nullopt, planFor);
  if (seeds.isGiven || HasFailure())
    return;
  EXPECT_LT(counts.tooLong * 5, counts.launches);
  EXPECT_GT(counts.faults * 20, counts.launches);
}

// Launches that meet the kernel's contract, and launches that do not.
TEST(Contracts, SayNothingThatDoesNotHold) {
  const Seeds seeds = seedsOr(120);
  const Counts counts = tryPrograms(seeds, Flavour::Indices, [](std::uint64_t number) {
    const unsigned level = std::array{2u, 0u, 3u, 1u}[number % 4];
    return Plan{{{"cpu", level}, {"cpu", level, true, /*contracts=*/false}}, 6};
  });
  if (seeds.isGiven || HasFailure())
    return;
  // Proves that both kernels run often enough, and that there are both faults and results.
  EXPECT_GT(counts.contracts * 10, counts.programs * 8);
  EXPECT_GT(counts.met * 10, counts.launches * 2);
  EXPECT_LT(counts.met * 10, counts.launches * 7);
  EXPECT_LT(counts.faults * 10, counts.launches * 7);
  EXPECT_GT(counts.metFaults * 50, counts.met);
}

TEST(Divergence, TakesTheLanesThatCameTheSameWay) {
  tryPrograms(seedsOr(48), Flavour::Groups, [](std::uint64_t number) {
    const char *const targets[] = {"sm_75", "sm_90", "sm_100", "sm_80"};
    return Plan{{{"cpu", 0},
                 {"cpu", 3, /*checks=*/false},
                 {targets[number % 4], 0},
                 {targets[(number + 1) % 4], 3, /*checks=*/false}},
                4};
  });
}
