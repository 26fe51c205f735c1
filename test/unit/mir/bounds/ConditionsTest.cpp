// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions mean what their text says, and those that others imply are left out, no others.
#include "mir/bounds/Arithmetic.h"
#include "test/unit/mir/bounds/ContractText.h"
#include "test/unit/mir/bounds/ParsedKernel.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace spl::mir::bounds;
using namespace spl::test;

namespace {

/// Parameters of which conditions are made, and every combination of some numbers that they may be.
class ConditionsTest : public testing::Test {
protected:
  static constexpr int64_t numbers[] = {-128, -2, -1, 0, 1, 3, 127};

  /// A parameter and a number besides, or the number alone.
  Polynomial sum(int parameter, int64_t number) {
    Polynomial result = Polynomial::constant(number);
    if (parameter >= 0)
      result = *Polynomial::add(
          result, symbols.argument(parsed.kernel().getBody().front().getArgument(parameter)));
    return result;
  }

  struct Launch {
    std::array<int64_t, 3> values;
    ContractText::Numbers named;
  };

  ParsedKernel parsed{"%n: i8 {spl.name = \"n\"}, %m: i8 {spl.name = \"m\"}, "
                      "%k: i8 {spl.name = \"k\"}",
                      ""};
  Symbols symbols{parsed.kernel()};
  Conditions conditions{symbols};

  const std::vector<Launch> launches = [] {
    std::vector<Launch> all;
    for (int64_t n : numbers)
      for (int64_t m : numbers)
        for (int64_t k : numbers)
          all.push_back({{n, m, k}, {{"n", n}, {"m", m}, {"k", k}}});
    return all;
  }();
};

/// min(smaller) <= max(larger), with what both are in a launch.
struct Choice {
  llvm::SmallVector<std::pair<int, int64_t>> smaller, larger;

  bool holds(llvm::ArrayRef<int64_t> values) const {
    return llvm::any_of(smaller, [&](auto a) {
      return llvm::any_of(larger, [&](auto b) {
        return (a.first < 0 ? 0 : values[a.first]) + a.second <=
               (b.first < 0 ? 0 : values[b.first]) + b.second;
      });
    });
  }
};

} // namespace

TEST_F(ConditionsTest, SayWhatTheyAreMadeFromAndImplyNoMore) {
  std::mt19937 random(1);
  auto below = [&](int count) { return std::uniform_int_distribution<>(0, count - 1)(random); };
  auto someSums = [&] {
    llvm::SmallVector<std::pair<int, int64_t>> sums;
    for (int i = 0, count = 1 + below(3); i < count; ++i)
      sums.push_back({below(4) - 1, below(7) - 3});
    return sums;
  };
  auto polynomials = [&](const auto &sums) {
    llvm::SmallVector<Polynomial> result;
    for (auto [parameter, number] : sums)
      result.push_back(sum(parameter, number));
    return result;
  };
  unsigned implied = 0, replaced = 0;
  for (int round = 0; round < 200; ++round) {
    Needs kept;
    llvm::SmallVector<Choice> all;
    for (int i = 0; i < 4; ++i) {
      // More often than not one like another, with a sum more, or less, or a number further.
      Choice choice{someSums(), someSums()};
      if (!all.empty() && below(4)) {
        choice = all[below(all.size())];
        auto &side = below(2) ? choice.smaller : choice.larger;
        auto &sum = side[below(side.size())];
        const int change = below(3);
        if (change == 0)
          side.push_back({below(4) - 1, below(7) - 3});
        else if (change == 1 && side.size() > 1)
          side.erase(&sum);
        else
          sum.second += below(2) ? 1 : -1;
      }
      std::optional<Needs> needs =
          conditions.atMost(polynomials(choice.smaller), polynomials(choice.larger));
      if (!needs) {
        for (const Launch &launch : launches)
          ASSERT_FALSE(choice.holds(launch.values));
        continue;
      }
      ASSERT_LE(needs->size(), 1u);
      const std::string text = parsed.written(conditions.contract(*needs));
      for (const Launch &launch : launches)
        ASSERT_EQ(ContractText::holds(text, launch.named), choice.holds(launch.values)) << text;
      for (unsigned condition : *needs) {
        const size_t before = kept.size();
        const bool isNew = conditions.extend(kept, condition);
        implied += !isNew;
        replaced += isNew && kept.size() <= before;
      }
      all.push_back(choice);
      const std::string together = parsed.written(conditions.contract(kept));
      for (const Launch &launch : launches) {
        const bool expected =
            llvm::all_of(all, [&](const Choice &each) { return each.holds(launch.values); });
        ASSERT_EQ(ContractText::holds(together, launch.named), expected) << together;
      }
    }
  }
  EXPECT_GT(implied, 20u);
  EXPECT_GT(replaced, 20u);
}

TEST_F(ConditionsTest, OfOneDistanceTheClosestIsLeft) {
  for (int64_t a = -2; a <= 2; ++a)
    for (int64_t b = -2; b <= 2; ++b) {
      // n + a <= m and n + b <= m
      Needs first = *conditions.atMost(sum(0, a), sum(1, 0));
      Needs second = *conditions.atMost(sum(0, b), sum(1, 0));
      Needs kept = first;
      EXPECT_EQ(conditions.extend(kept, second.front()), b > a) << a << " " << b;
      EXPECT_EQ(kept, b > a ? second : first);
      EXPECT_EQ(conditions.stepCount(kept), conditions.contract(kept).steps.size());
    }
}

TEST_F(ConditionsTest, OfChoicesTheNarrowerOneIsLeft) {
  const Polynomial n = sum(0, 0), m = sum(1, 0), k = sum(2, 0);
  // max(n, m) implies max(n, m, k) on the right, and min(n, m) what has more on the left.
  struct Row {
    llvm::SmallVector<Polynomial> narrowSmaller, narrowLarger, wideSmaller, wideLarger;
  };
  const Row rows[] = {
      {{k}, {n}, {k}, {n, m}},
      {{k}, {n, m}, {k}, {n, m, sum(-1, 7)}},
      {{k}, {n}, {k, m}, {n}},
      {{k, m}, {n}, {k, m, sum(-1, 7)}, {n}},
  };
  for (const Row &row : rows) {
    Needs narrow = *conditions.atMost(row.narrowSmaller, row.narrowLarger);
    Needs wide = *conditions.atMost(row.wideSmaller, row.wideLarger);
    Needs kept = narrow;
    EXPECT_FALSE(conditions.extend(kept, wide.front()))
        << parsed.written(conditions.contract(wide));
    EXPECT_EQ(kept, narrow);
    kept = wide;
    EXPECT_TRUE(conditions.extend(kept, narrow.front()))
        << parsed.written(conditions.contract(narrow));
    EXPECT_EQ(kept, narrow);
  }
}

// There is a condition where some pair of sums may hold, and none where no pair can.
TEST_F(ConditionsTest, MayHoldByAnyPairOfSums) {
  using Sum = std::pair<int, int64_t>;
  const Sum sums[] = {{-1, 127}, {-1, 3}, {-1, -3},  {-1, -128},
                      {0, 0},    {1, 2},  {2, -300}, {0, 300}};
  llvm::SmallVector<llvm::SmallVector<Sum>> sides;
  for (Sum first : sums) {
    sides.push_back({first});
    for (Sum second : sums)
      if (first < second)
        sides.push_back({second, first});
  }
  auto polynomials = [&](const auto &side) {
    llvm::SmallVector<Polynomial> result;
    for (auto [parameter, number] : side)
      result.push_back(sum(parameter, number));
    return result;
  };
  unsigned never = 0, always = 0;
  for (const auto &smaller : sides)
    for (const auto &larger : sides) {
      const Choice choice{smaller, larger};
      auto holds = [&](const Launch &launch) { return choice.holds(launch.values); };
      std::optional<Needs> needs = conditions.atMost(polynomials(smaller), polynomials(larger));
      const std::string text = needs ? parsed.written(conditions.contract(*needs)) : "none";
      EXPECT_EQ(needs.has_value(), llvm::any_of(launches, holds)) << text;
      if (needs) // one that holds in every launch may still be stated
        for (const Launch &launch : launches)
          ASSERT_EQ(ContractText::holds(text, launch.named), holds(launch)) << text;
      never += !needs;
      always += needs && needs->empty();
    }
  EXPECT_GT(never, 20u);
  EXPECT_GT(always, 100u);
}

// What both sides have in common is left out, except where that turns a difference into a sum.
TEST_F(ConditionsTest, AreWrittenWithoutCommonTerms) {
  auto written = [&](llvm::ArrayRef<Polynomial> smaller, llvm::ArrayRef<Polynomial> larger) {
    return parsed.written(conditions.contract(*conditions.atMost(smaller, larger)));
  };
  auto minus = [](const Polynomial &a, const Polynomial &b) { return *Polynomial::subtract(a, b); };
  const Polynomial n = sum(0, 0), m = sum(1, 0), k = sum(2, 0);
  EXPECT_EQ(written({*Polynomial::add(n, k)}, {*Polynomial::add(m, k)}), "n <= m");
  EXPECT_EQ(written({sum(0, 5)}, {sum(1, 3)}), "n + 2 <= m");
  EXPECT_EQ(written({sum(0, -5)}, {sum(1, -3)}), "n <= m + 2");
  EXPECT_EQ(written({minus(n, k)}, {minus(m, k)}), "n <= m");
  EXPECT_EQ(written({Polynomial()}, {minus(m, k)}), "k <= m");
  EXPECT_EQ(written({Polynomial::constant(3)}, {minus(minus(m, k), k)}), "2 * k + 3 <= m");
  EXPECT_EQ(written({minus(n, k)}, {m}), "n - k <= m");
  EXPECT_EQ(written({n, sum(0, 1)}, {sum(1, 2)}), "min(n, n + 1) <= m + 2");
}

// The negative of the least number does not fit in 64 bits.
TEST_F(ConditionsTest, AreWrittenWithTheLeastCoefficient) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const Polynomial n = sum(0, 0), product = *Polynomial::multiply(n, Polynomial::constant(least));
  EXPECT_EQ(symbols.text(symbols.expression(product)), "-9223372036854775807 * n - n");
  EXPECT_EQ(symbols.text(symbols.expression(Polynomial::constant(least))),
            "-9223372036854775807 - 1");
}

// Where one side has no bound, a selection has none, and needs no condition.
TEST_F(ConditionsTest, AreNotMadeOfMissingBounds) {
  Arithmetic arithmetic(symbols, conditions);
  const Bounds five = Bounds::exactly(5), unknown;
  for (const auto &[a, b] :
       {std::pair(five, unknown), std::pair(unknown, five), std::pair(unknown, unknown)}) {
    const Bounds all[] = {arithmetic.joined(a, b), arithmetic.larger(a, b),
                          arithmetic.smaller(a, b)};
    EXPECT_TRUE(all[0].most.empty() && all[0].least.empty());
    EXPECT_TRUE(all[1].most.empty());
    EXPECT_TRUE(all[2].least.empty());
    for (const Bounds &bounds : all)
      EXPECT_TRUE(bounds.needs.empty());
  }
}
