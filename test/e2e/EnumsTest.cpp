// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests enums, matches on them and loops over elements against the same control flow in C++.
#include "test/e2e/Harness.h"

#include <numeric>

using namespace spl::e2e;

namespace {

int levelOf(std::size_t i) { return (const int[]){0, 1, 10, 11, -3}[i % 5]; }
int nextOf(int level) {
  return level == 0 ? 1 : level == 1 || level == -3 ? 10 : level == 10 ? 11 : -3;
}

int named(std::int64_t n) {
  if (n == 7)
    return 1;
  if ((n >= -5 && n <= -1) || n == 9)
    return 2;
  return n >= 14 && n <= 21 ? 3 : 4;
}

} // namespace

TEST(Enums, AreMatchedComparedAndCast) {
  forEachBuild({"enums.spl"}, everyOption(), [](const Build &build) {
    constexpr std::size_t n = 37;
    std::vector<std::int32_t> out(4 * n);
    build.run("enums", {.global = {n}}, out);
    expectEach(
        out,
        [](std::size_t at) {
          const std::size_t i = at / 4;
          const int level = levelOf(i);
          switch (at % 4) {
          case 0:
            return level;
          case 1:
            return int(static_cast<std::uint8_t>(nextOf(nextOf(level))));
          case 2:
            return named(std::int64_t(i) - 6);
          default:
            return (level == 1) + 2 * (level < 10);
          }
        },
        "enums");
  });
}

// A host may pass a number that is no member of the enum. A match over all members then runs one of
// its cases. The number does not change.
TEST(Enums, OfNoMemberTakeSomeCase) {
  enum class Level : std::int32_t { Stray = 4711 };
  forEachBuild({"enums.spl"}, everyOption(), [](const Build &build) {
    const std::int32_t numbers[] = {5, -1, 2147483647, -2147483647 - 1, 9, 12, 10};
    std::vector<Level> levels;
    for (std::size_t i = 0; i < 37; ++i)
      levels.push_back(Level(numbers[i % 7]));
    std::vector<std::int32_t> out(4 * levels.size());
    build.run("given", {.global = {levels.size()}}, std::as_const(levels), Level::Stray, out);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const int next = out[4 * i], folded = out[4 * i + 1], one = out[4 * i + 3];
      const bool isHigh = i % 7 == 6;
      EXPECT_TRUE(isHigh ? next == 11 : next == 1 || next == 10 || next == 11 || next == -3)
          << next;
      EXPECT_TRUE(isHigh ? folded == 2 : folded == 1 || folded == 2 || folded == 3 || folded == 5)
          << folded;
      EXPECT_EQ(out[4 * i + 2], numbers[i % 7]);
      EXPECT_TRUE(one == 1 || one == 2 || one == 3 || one == 5) << one;
    }
  });
}

TEST(Elements, AreGoneThroughInOrder) {
  forEachBuild({"enums.spl"}, everyOption(), [](const Build &build) {
    std::vector<float> m(3 * 1 * 5), out(7);
    std::iota(m.begin(), m.end(), -4.0f);
    const std::vector<std::uint8_t> a = {100, 1, 2, 3, 250, 5, 6, 100};
    build.run("elements", {.global = {2}}, Shaped<const std::vector<float>>(m, {3, 1, 5}), a, out);
    float all = 0;
    for (float x : m)
      all = std::fma(all, 0.5f, x);
    float digits = 0;
    for (float x : {1, -2, 3, 4, 5, 6})
      digits = digits * 3 + x;
    EXPECT_EQ(out, (std::vector<float>{all, 24 + 55, digits, 1.5f - 4, 267, 1097, 5}));
  });
}
