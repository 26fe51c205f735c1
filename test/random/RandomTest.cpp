// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs do on every target what the reference interpreter says (docs/testing.md).
// SPL_RANDOM=FIRST:COUNT tries other seeds.
#include "test/random/Comparison.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace spl;
using namespace spl::random;

namespace {

/// Programs that are compiled together.
constexpr std::uint64_t inFile = 8;

struct Seeds {
  std::uint64_t first = 0, count = 120;
};

Seeds seedsToTry() {
  Seeds seeds;
  if (const char *given = std::getenv("SPL_RANDOM"))
    if (std::sscanf(given, "%lu:%lu", &seeds.first, &seeds.count) != 2)
      throw std::runtime_error("SPL_RANDOM is FIRST:COUNT");
  return seeds;
}

} // namespace

TEST(Random, ProgramsDoWhatTheReferenceSays) {
  const Seeds seeds = seedsToTry();
  Counts counts;
  const auto start = std::chrono::steady_clock::now();
  std::size_t mismatches = 0;
  for (std::uint64_t first = seeds.first; first < seeds.first + seeds.count; first += inFile) {
    std::vector<generator::Program> programs;
    for (std::uint64_t seed = first; seed != std::min(first + inFile, seeds.first + seeds.count);
         ++seed)
      programs.push_back(generator::generate(seed));
    std::printf("programs from seed %lu\n", first); // where one dies of an access outside
    std::fflush(stdout);
    if (const std::optional<Mismatch> found = compare(programs, planFor(first / inFile), counts)) {
      ADD_FAILURE() << found->str();
      if (++mismatches == 8)
        break;
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf(
      "%zu programs, %zu with contracts; %zu launches, %zu met one, %zu fault, %zu of those "
      "that met one, %zu too long; %zu runs; %.0f s, of them compiling %.0f, interpreting %.0f, "
      "running %.0f\n",
      counts.programs, counts.contracts, counts.launches, counts.met, counts.faults,
      counts.metFaults, counts.tooLong, counts.runs, took.count(), counts.compiling,
      counts.interpreting, counts.running);
}
