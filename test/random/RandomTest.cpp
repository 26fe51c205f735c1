// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that random programs have the same results on every target as in the reference interpreter
// (test/reference). SPL_RANDOM=FIRST:COUNT tries other seeds.
#include "test/random/Plans.h"
#include "test/random/Processes.h"
#include "test/random/Reducer.h"
#include "test/unit/Sanitizers.h"

#include <spl/Device.h>

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace spl;
using namespace spl::random;
using generator::Flavour;

namespace {

Seeds seedsOr(std::uint64_t first, std::uint64_t count) {
  Seeds seeds{first, count};
  if (const char *given = std::getenv("SPL_RANDOM")) {
    seeds.isGiven = true;
    if (std::sscanf(given, "%lu:%lu", &seeds.first, &seeds.count) != 2)
      throw std::runtime_error("SPL_RANDOM is FIRST:COUNT");
  }
  return seeds;
}

/// A seed from the clock. Runs that start in different seconds have different programs.
std::uint64_t freshSeed() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  return static_cast<std::uint64_t>(seconds) % 10'000'000 * 10'000;
}

/// Tries all seeds. Stops after 3 errors, or after 10 if SPL_RANDOM gives the seeds.
Counts tryAll(const Seeds &seeds, const TryFile &tryFile, const ExplainCrash &explainCrash) {
  std::printf("programs: SPL_RANDOM=%lu:%lu\n", seeds.first, seeds.count);
  const auto start = std::chrono::steady_clock::now();
  const Findings found = tryInProcesses(seeds, seeds.isGiven ? 10 : 3, tryFile, explainCrash);
  for (const std::string &error : found.errors)
    ADD_FAILURE() << error;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%s; %.0f s\n", found.counts.str().c_str(), took.count());
  return found.counts;
}

template <class F>
Counts tryPrograms(const Seeds &seeds, std::optional<Flavour> flavour, F &&planFor) {
  auto programs = [&](std::uint64_t first, std::uint64_t count) {
    std::vector<generator::Program> made;
    for (std::uint64_t seed = first; seed != first + count; ++seed)
      made.push_back(generator::generate(seed, flavour));
    return made;
  };
  return tryAll(
      seeds,
      [&](std::uint64_t first, std::uint64_t count, Counts &counts) -> std::string {
        const Plan plan = planFor(first);
        const std::optional<Mismatch> found = compare(programs(first, count), plan, counts);
        if (!found)
          return "";
        allowSeconds(600);
        return withReduced(*found, plan.launches);
      },
      [&](std::uint64_t first, std::uint64_t count) -> std::string {
        const Plan plan = planFor(first);
        const std::optional<Mismatch> found = findCrash(programs(first, count), plan);
        return found ? withReduced(*found, plan.launches) : "not in a file of one program\n";
      });
}

/// Tries the programs that differ from their variant.
void tryVariants(generator::Variant variant) {
  const Counts counts = tryAll(
      seedsOr(0, 400),
      [&](std::uint64_t first, std::uint64_t count, Counts &counts) -> std::string {
        for (std::uint64_t seed = first; seed != first + count; ++seed) {
          const auto program = generator::generate(seed),
                     other = generator::generate(seed, std::nullopt, variant);
          // Swapped operands are in most programs, so fewer seeds are enough.
          if (program.text == other.text ||
              (variant == generator::Variant::SwappedOperands && seed % 8 != 0))
            continue;
          if (const auto found = compareVariant(program, other, planFor(seed), counts))
            return found->str();
        }
        return "";
      },
      [](std::uint64_t, std::uint64_t) { return ""; });
  if (!std::getenv("SPL_RANDOM") && !testing::Test::HasFailure())
    EXPECT_GT(counts.programs, 15u);
}

void expectFaultsAndResults(const Counts &counts) {
  EXPECT_LT(counts.tooLong * 5, counts.launches);
  EXPECT_GT(counts.faults * 20, counts.launches);
}

} // namespace

TEST(Random, ProgramsDoWhatTheReferenceSays) {
  const Seeds seeds = seedsOr(0, 96);
  const Counts counts = tryPrograms(seeds, std::nullopt, planFor);
  if (!seeds.isGiven && !HasFailure())
    expectFaultsAndResults(counts);
}

TEST(Random, FreshProgramsDoToo) {
  if (std::getenv("SPL_RANDOM"))
    GTEST_SKIP() << "SPL_RANDOM gives the seeds";
  // A sanitizer makes a program ten times slower.
  const std::uint64_t count = isUnderSanitizer ? 200 : 2000;
  const Counts counts = tryPrograms({freshSeed(), count}, std::nullopt, planFor);
  if (!HasFailure())
    expectFaultsAndResults(counts);
}

// On the first CUDA device of this machine. scripts/gpu-bundle packs it.
TEST(Device, ProgramsDoWhatTheReferenceSays) {
  // In another process, because a driver that is initialised does not work in copies of a process.
  const std::string reason = inProcess([] { return detectBackend(Backend::Cuda).reason; });
  if (!reason.empty())
    GTEST_SKIP() << "cuda: " << reason;
  tryPrograms(seedsOr(0, 96), std::nullopt, [](std::uint64_t first) {
    const std::uint64_t number = first / inFile;
    return Plan{{{"device", std::array{2u, 0u, 3u}[number % 3], number % 8 != 7}}};
  });
}

// Launches that meet the kernel's contract, and launches that do not.
TEST(Contracts, SayNothingThatDoesNotHold) {
  const Seeds seeds = seedsOr(0, 120);
  const Counts counts = tryPrograms(seeds, Flavour::Indices, [](std::uint64_t first) {
    const unsigned level = std::array{2u, 0u, 3u, 1u}[first / inFile % 4];
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
  tryPrograms(seedsOr(0, 48), Flavour::Groups, [](std::uint64_t first) {
    const char *const targets[] = {"sm_75", "sm_90", "sm_100", "sm_80"};
    const std::uint64_t number = first / inFile;
    return Plan{{{"cpu", 0},
                 {"cpu", 3, /*checks=*/false},
                 {targets[number % 4], 0},
                 {targets[(number + 1) % 4], 3, /*checks=*/false}},
                4};
  });
}

TEST(Variants, UnrolledLoops) { tryVariants(generator::Variant::UnrolledLoops); }
TEST(Variants, InlinedCalls) { tryVariants(generator::Variant::InlinedCalls); }
TEST(Variants, SwappedOperands) { tryVariants(generator::Variant::SwappedOperands); }

TEST(Texts, HaveFunctionsAndKernelsInOtherFiles) {
  generator::Program program;
  program.seed = 7;
  program.kernel = "k7";
  program.parameters.push_back({"out", generator::Role::Own, generator::i64, 1, 1});
  program.text = std::string("\nfn f(x: i64) -> i64:\n    return x\n\n") + generator::border +
                 "\n#[gpu]\nfn k7(out: &mut [i64]):\n    out[0] = f(wrapped(1, 2))\n";
  for (const auto layout : {generator::Layout::OneFile, generator::Layout::OtherFunctions,
                            generator::Layout::OtherKernel}) {
    program.layout = layout;
    const Text text({program});
    const Source source(text);
    EXPECT_TRUE(source.isCorrect() && source.hasKernel(program)) << text.main;
    EXPECT_EQ(text.main.find("fn f(") != std::string::npos, layout == generator::Layout::OneFile);
    EXPECT_EQ(text.main.find("fn k7(") != std::string::npos,
              layout != generator::Layout::OtherKernel);
  }
}

// Each target has each level, with checks and without. The CPU has contracts in half of the builds
// with checks.
TEST(Plans, DrawEveryBuildEquallyOften) {
  std::map<std::string, int> times;
  constexpr int count = 100'000;
  const double targets = static_cast<double>(cpuTargets().size());
  for (int seed = 0; seed != count; ++seed)
    for (const BuildOptions &build : planFor(static_cast<std::uint64_t>(seed)).builds)
      ++times[build.str()];
  auto expect = [&](const BuildOptions &build, double share) {
    EXPECT_NEAR(times[build.str()], count * share, count * share / 5) << build.str();
  };
  for (const std::string &target : cpuTargets())
    for (const unsigned level : {0u, 1u, 2u, 3u}) {
      const double share = 1 / targets / 4;
      expect({target, level, /*checks=*/false, /*contracts=*/false}, share / 8);
      expect({target, level, true, /*contracts=*/false}, share * 7 / 8 / 2);
      expect({target, level}, share * 7 / 8 / 2);
    }
  for (const char *target : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120"})
    for (const unsigned level : {0u, 2u, 3u}) {
      const double share = (target == std::string("sm_75") ? 0.5 : 0.125) / 3;
      expect({target, level, /*checks=*/false}, share / 8);
      expect({target, level}, share * 7 / 8);
    }
  EXPECT_EQ(times.size(), static_cast<std::size_t>(targets * 4 * 3 + 5 * 3 * 2)); // no others
}
