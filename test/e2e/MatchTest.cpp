// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests match against the same control flow in C++.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

int digit(std::int64_t x) {
  switch (x) {
  case 0:
    return 100;
  case 1:
  case 3:
  case 5:
    return 200;
  case 6:
  case 7:
  case 8:
    return 300;
  default:
    return 400;
  }
}

TEST(Match, TakesTheFirstPatternThatFits) {
  forEachInteger([](auto zero, const char *name) {
    using T = decltype(zero);
    using Limits = std::numeric_limits<T>;
    std::vector<T> a = {Limits::min(), Limits::max()};
    for (int i = -127; i < 128; ++i)
      a.push_back(static_cast<T>(i));
    const std::size_t n = a.size();
    forEachBuild({"match.spl", {{"i32", name}, {"100", "10"}, {"200", "20"},
                                {"300", "30"}, {"400", "40"}}},
        extremeOptions(), [&](const Build &build) {
          std::vector<T> out(n), exits(n);
          build.run("classify", {.global = {std::int64_t(n)}}, a, out, exits);
          expectEach(
              out,
              [&](std::size_t k) {
                const T x = a[k];
                if (x == 7)
                  return 1;
                if (x == 0 || x == 2 || x == 3)
                  return 2;
                return (x >= 0 && x <= 99) || x == 120 ? 3 : 4;
              },
              name);
          expectEach(
              exits,
              [&](std::size_t k) {
                int count = 0;
                for (std::int64_t i = 0; i < 10; ++i) {
                  const std::int64_t at = i + static_cast<std::int64_t>(k) % 3;
                  if (at == 4)
                    continue;
                  if (at == 9)
                    break;
                  count += digit(i) / 10;
                }
                return count;
              },
              name);
        });
  });
}

} // namespace
