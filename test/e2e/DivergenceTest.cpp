// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels at random (RandomKernels.h): which lanes take part in an operation of the warp is what
// the source says, however the compiler moves code, on the CPU and as PTX. More of them by hand:
// SPL_SEEDS=1000:200 spl-e2e-tests --gtest_filter='Divergence*' tries 200 from seed 1000 on.
#include "test/e2e/RandomKernels.h"

#include <cstdlib>

using namespace spl::e2e;

namespace {

constexpr std::uint64_t kernelsInFile = 6;

struct Seeds {
  std::uint64_t first = 1, count = 48;
};

Seeds seedsToTry() {
  Seeds seeds;
  if (const char *asked = std::getenv("SPL_SEEDS"))
    std::sscanf(asked, "%lu:%lu", &seeds.first, &seeds.count);
  return seeds;
}

void tryKernels(std::uint64_t seed, std::uint64_t count) {
  std::vector<random::Kernel> kernels;
  std::string text = random::prelude;
  for (std::uint64_t i = 0; i != count; ++i) {
    kernels.push_back(random::makeKernel(seed + i));
    text += kernels.back().text;
  }
  const Source source{"random-" + std::to_string(seed) + ".spl", {}, text};
  const Grid &grid = grids[seed / kernelsInFile % std::size(grids)];
  const auto a = smallValues<std::int32_t>(grid.count(), static_cast<int>(seed % 11) + 1);
  forEachBuild(source, extremeOptions(), [&](const Build &build) {
    for (const random::Kernel &kernel : kernels)
      for (std::int32_t n : {0, 2}) {
        std::vector<std::int32_t> out(a.size() * random::resultCount, 12345), expected;
        build.run(kernel.name, grid.config(), a, n, out);
        for (std::size_t first = 0; first != a.size(); first += grid.size()) {
          const auto group = random::reference(kernel, std::span(a).subspan(first, grid.size()), n);
          expected.insert(expected.end(), group.begin(), group.end());
        }
        expectFields(
            out, random::resultCount,
            [&](std::size_t at, std::size_t k) { return expected[at * random::resultCount + k]; },
            (kernel.name + " with n = " + std::to_string(n)).c_str());
        if (testing::Test::HasFailure())
          FAIL() << kernel.text;
      }
  });
}

} // namespace

TEST(Divergence, TakesTheLanesThatCameTheSameWay) {
  const Seeds seeds = seedsToTry();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed += kernelsInFile) {
    tryKernels(seed, std::min(kernelsInFile, seeds.first + seeds.count - seed));
    if (HasFailure())
      return;
  }
}
