// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests collectives on f16 and bf16, with numbers whose sums are exact in both.
#include "test/e2e/Groups.h"

#include <algorithm>
#include <numeric>

using namespace spl::e2e;

namespace {

const Grid grid{{45, 1, 1}, 2};

std::vector<float> tinyNumbers() {
  std::vector<float> a(grid.count());
  for (std::size_t i = 0; i != a.size(); ++i)
    a[i] = static_cast<float>(i * 7 % 5) - 1;
  return a;
}

} // namespace

TEST(Float16Collectives, ReduceScanShuffleAndMatch) {
  const std::vector<std::string> kernels = {"together[f16]", "together[bf16]"};
  forEachBuild({"float16-collectives.spl"}, extremeOptions(kernels), [&](const Build &build) {
    for (const std::string &kernel : kernels) {
      const std::vector<float> a = tinyNumbers();
      std::vector<float> out(a.size() * 8);
      build.run(kernel, grid.config(), a, out);
      expectFields(
          out, 8,
          [&](std::size_t at, std::size_t k) -> float {
            const Grid::Members warp = grid.warp(at), group = grid.group(at);
            auto sum = [&](std::size_t first, std::size_t end) {
              return std::accumulate(a.begin() + first, a.begin() + end, 0.0F);
            };
            double same = 0;
            for (std::size_t i = warp.first; i != warp.end; ++i)
              same += a[i] == a[at] ? std::exp2(grid.lane(i)) : 0;
            return (const float[]){sum(warp.first, warp.end),
                                   *std::min_element(a.begin() + warp.first, a.begin() + warp.end),
                                   sum(warp.first, at),
                                   a[grid.lane(at) < 2 ? at : at - 2],
                                   static_cast<float>(same),
                                   sum(group.first, group.end),
                                   sum(group.first, at + 1),
                                   a[group.first + 3]}[k];
          },
          kernel.c_str());
    }
  });
}

TEST(Float16Collectives, GoInPairs) {
  const Source brains{"float16-collectives.spl", {{"f16x2", "bf16x2"}, {"f16", "bf16"}}};
  for (const Source &source : {Source{"float16-collectives.spl"}, brains})
    forEachBuild(source, extremeOptions(), [&](const Build &build) {
      const std::vector<float> a = tinyNumbers();
      std::vector<float> out(a.size() * 4);
      build.run("pairs", grid.config(), a, out);
      expectFields(
          out, 4,
          [&](std::size_t at, std::size_t k) -> float {
            const Grid::Members warp = grid.warp(at), group = grid.group(at);
            float least = a[warp.first]; // its own value if no lower lane takes part
            for (std::size_t i = warp.first; i + 1 != warp.end; ++i)
              least = std::min(least, a[i]);
            const float sum = std::accumulate(a.begin() + group.first, a.begin() + group.end, 0.0F);
            return (const float[]){least, least * 2, 1 + sum, 1 + 2 * sum}[k];
          },
          "pairs");
    });
}
