// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that conditions evaluate only the operands that they need, from left to right, once.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

using Ints = std::vector<std::int32_t>;

/// Calls f for every assignment of three bools.
template <class F> void forEachTruth(F &&f) {
  for (int bits = 0; bits != 8; ++bits)
    f((bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
}

} // namespace

TEST(Conditions, AndOrNot) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    forEachTruth([&](bool p, bool q, bool r) {
      Ints trace(1);
      std::vector<unsigned char> out(8, 2);
      build.run("logic", {.global = {1}}, p, q, r, trace, Bools{out});
      std::string expected = p ? "12" : "1";
      expected += p ? "3" : "34";
      expected += p ? "57" : q ? "56" : "567";
      EXPECT_EQ(std::to_string(trace[0]), expected);
      const std::vector<unsigned char> truths = {
          p && q,        p || q, (!p && q) || r,          (p && q) || r,
          p || (q && r), p != q, bool((p & q) | (r ^ p)), p != q};
      EXPECT_EQ(out, truths) << p << q << r;
    });
  });
}

TEST(Conditions, ChainsStopAtTheFirstFalse) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    for (std::int32_t code = 0; code != 81; ++code) {
      const std::int32_t a = code % 3, b = code / 3 % 3, c = code / 9 % 3, d = code / 27;
      Ints trace(1);
      std::vector<unsigned char> out(2, 2);
      build.run("chain", {.global = {1}}, a, b, c, d, trace, Bools{out});
      EXPECT_EQ(trace[0], !(a <= b) ? 12 : !(b < c) ? 123 : 1234);
      EXPECT_EQ(out[0], a <= b && b < c && c != d);
      EXPECT_EQ(out[1], a < b && b > c && c == d);
    }
  });
}

TEST(Conditions, ConditionalsEvaluateOneArm) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    forEachTruth([&](bool p, bool q, bool) {
      Ints trace(1), out(3);
      build.run("choose", {.global = {1}}, p, q, trace, out);
      EXPECT_EQ(trace[0], p ? 21 : 23);
      EXPECT_EQ(out, (Ints{p ? 10 : 20, p ? 1 : q ? 2 : 3, (p ? 1 : 2) + (q ? 10 : 20)}));
    });
  });
}

TEST(Conditions, OperandsGoFromLeftToRight) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    Ints trace(1), out(3);
    build.run("order", {.global = {1}}, trace, out);
    EXPECT_EQ(trace[0] / 100, 12345);
    EXPECT_TRUE(trace[0] % 100 == 67 || trace[0] % 100 == 76);
    EXPECT_EQ(out, (Ints{-1, 8, 9}));
  });
}

TEST(Conditions, ThePlaceOfACompoundAssignmentIsEvaluatedOnce) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    Ints trace(1), out = {3, 5, 7};
    build.run("compound_place", {.global = {1}}, trace, out);
    EXPECT_EQ(std::to_string(trace[0]).size(), 3u) << trace[0];
    EXPECT_EQ(trace[0] / 100, 1);
    EXPECT_EQ(out, (Ints{3, 20, 12}));
  });
}

TEST(Conditions, GuardsComeBeforeWhatTheyGuard) {
  forEachBuild({"conditions.spl"}, everyOption(), [](const Build &build) {
    for (std::size_t n : build.sizes()) {
      const Ints a = {5, 25, 15, 35, 10};
      std::vector<std::int64_t> at(n);
      for (std::size_t i = 0; i != n; ++i)
        at[i] = static_cast<std::int64_t>((i * 7 + 3) % 13) - 4;
      if (n > 2)
        at[2] = std::numeric_limits<std::int64_t>::min();
      Ints out(n);
      build.run("guards", {.global = {std::int64_t(n)}}, a, at, out);
      expectEach(
          out,
          [&](auto i) {
            const bool inside = at[i] >= 0 && at[i] < 5;
            const std::int32_t value = inside ? a[static_cast<std::size_t>(at[i])] : -1;
            return (inside && value > 10 ? 1 : 2) + (inside && value > 20 && value < 30 ? 4 : 0) +
                   value * 8 + (value == 25 ? 1000000 : 0);
          },
          "guarded");
    }
  });
}
