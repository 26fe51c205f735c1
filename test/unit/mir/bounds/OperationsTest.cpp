// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bounds of each operation are tight: the ends of a result are proved, and no number beyond.
#include "spl/abi/Limits.h"
#include "test/unit/mir/bounds/Questions.h"
#include <algorithm>
#include <functional>

using namespace spl::test;

// The numbers of one axis say nothing of another.
TEST(BoundsOfOperations, IdsAreBelowTheirSizesAlongTheirAxis) {
  Expected all;
  Questions &text = all.text;
  const std::string zero = text.constant(0), one = text.constant(1);
  auto intrinsic = [&](llvm::StringRef name, unsigned axis) {
    return text.add("spl.intrinsic \"gpu." + name + "\" axis " + llvm::Twine(axis) +
                    " : () -> i64");
  };
  std::vector<std::string> ids[3], sizes[3];
  for (unsigned axis : {0, 1, 2})
    for (llvm::StringRef name : {"local", "group", "global"}) {
      ids[axis].push_back(intrinsic((name + "_id").str(), axis));
      sizes[axis].push_back(
          intrinsic(name == "group" ? "num_groups" : (name + "_size").str(), axis));
    }
  for (unsigned axis : {0, 1, 2})
    for (unsigned kind : {0, 1, 2}) {
      const std::string &id = ids[axis][kind], &size = sizes[axis][kind];
      all.ask(true, "sge", id, zero);
      all.ask(false, "sge", id, one);
      all.ask(true, "slt", id, size);
      all.ask(true, "sge", size, one);
      all.ask(false, "sgt", size, one);
      all.ask(false, "slt", text.add("arith.addi " + id + ", " + one + " : i64"), size);
      for (unsigned other : {0, 1, 2})
        if (other != axis)
          all.ask(false, "slt", id, sizes[other][kind]);
    }
  for (unsigned axis : {0, 1, 2}) {
    const std::string product =
        text.add("arith.muli " + sizes[axis][0] + ", " + sizes[axis][1] + " : i64");
    all.ask(true, "eq", product, sizes[axis][2]);
    const std::string most = text.constant(spl::abi::maxLocalSize[axis]);
    const std::string less = text.constant(spl::abi::maxLocalSize[axis] - 1);
    all.ask(true, "sle", sizes[axis][0], most);
    all.ask(false, "sle", sizes[axis][0], less);
    all.ask(true, "slt", ids[axis][0], most);
    all.ask(false, "slt", ids[axis][0], less);
    all.ask(true, "sle", sizes[axis][1], text.constant(spl::abi::maxGroups[axis]));
    all.ask(false, "sle", sizes[axis][1], text.constant(spl::abi::maxGroups[axis] - 1));
  }
  all.check();
}

TEST(BoundsOfOperations, LanesAndWarpsHaveLimits) {
  Expected all;
  auto intrinsic = [&](llvm::StringRef name) {
    return all.text.add("spl.intrinsic \"gpu." + name + "\" : () -> i64");
  };
  all.askRange(intrinsic("lane_id"), 0, spl::abi::warpSize - 1, "i64");
  all.askRange(intrinsic("warp_id"), 0, spl::abi::maxWarps - 1, "i64");
  all.askRange(intrinsic("warp_size"), spl::abi::warpSize, spl::abi::warpSize, "i64");
  all.check();
}

namespace {

struct Interval {
  int64_t least, most;
};

/// The least and the most of an operation on numbers of two intervals.
Interval resultOf(Interval a, Interval b, const std::function<int64_t(int64_t, int64_t)> &compute) {
  Interval result{INT64_MAX, INT64_MIN};
  for (int64_t x = a.least; x <= a.most; ++x)
    for (int64_t y = b.least; y <= b.most; ++y) {
      result.least = std::min(result.least, compute(x, y));
      result.most = std::max(result.most, compute(x, y));
    }
  return result;
}

struct Operation {
  const char *name;
  std::function<int64_t(int64_t, int64_t)> compute;
};

void expectTight(const Operation &operation, Interval a, Interval b) {
  for (const char *type : {"i8", "i32", "i64"}) {
    Expected all;
    Questions &text = all.text;
    const std::string x = text.unknown(type), y = text.unknown(type);
    text.within(x, a.least, a.most, type);
    text.within(y, b.least, b.most, type);
    const Interval result = resultOf(a, b, operation.compute);
    all.askRange(text.add(operation.name + (" " + x + ", " + y) + " : " + type), result.least,
                 result.most, type);
    all.check();
  }
}

} // namespace

TEST(BoundsOfOperations, SumsAndSelectionsAreTight) {
  const Operation operations[] = {
      {"arith.addi", std::plus<int64_t>()},
      {"arith.subi", std::minus<int64_t>()},
      {"arith.minsi", [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"arith.maxsi", [](int64_t a, int64_t b) { return std::max(a, b); }},
  };
  const Interval intervals[] = {{0, 0}, {-3, 4}, {1, 5}, {-9, -2}, {0, 31}};
  for (const Operation &operation : operations)
    for (Interval a : intervals)
      for (Interval b : intervals)
        expectTight(operation, a, b);
}

TEST(BoundsOfOperations, ProductsAreTightWhereNeitherFactorIsNegative) {
  for (Interval a : {Interval{0, 0}, {0, 5}, {2, 7}, {1, 1}})
    for (Interval b : {Interval{0, 3}, {1, 4}, {9, 9}})
      expectTight({"arith.muli", std::multiplies<int64_t>()}, a, b);
}

TEST(BoundsOfOperations, QuotientsAndRemaindersAreTight) {
  // The dividend is not negative, and it may be less than each divisor, or more.
  for (Interval a : {Interval{0, 0}, {0, 5}, {0, 6}, {0, 7}, {0, 100}})
    for (Interval b : {Interval{1, 1}, {2, 2}, {7, 7}, {1, 7}, {3, 8}}) {
      for (const char *name : {"arith.divsi", "arith.divui"})
        expectTight({name, std::divides<int64_t>()}, a, b);
      for (const char *name : {"arith.remsi", "arith.remui"})
        expectTight({name, std::modulus<int64_t>()}, a, b);
    }
}

// Nothing is known of the operand: MLIR's ranges give the bounds.
TEST(BoundsOfOperations, OperationsOfAnyNumberHaveTheRangesOfMlir) {
  for (unsigned width : {8u, 16u, 32u}) {
    const std::string type = "i" + std::to_string(width);
    const int64_t half = int64_t{1} << (width - 1);
    Expected all;
    Questions &text = all.text;
    const std::string x = text.unknown(type);
    auto of = [&](llvm::StringRef name, int64_t number) {
      return text.add("arith." + name + " " + x + ", " + text.constant(number, type) + " : " +
                      type);
    };
    for (int64_t number : {0, 1, 7, 100})
      all.askRange(of("andi", number), 0, number, type);
    for (int64_t by = 1; by < width; ++by) {
      all.askRange(of("shrui", by), 0, (2 * half - 1) >> by, type);
      all.askRange(of("shrsi", by), -half >> by, (half - 1) >> by, type);
    }
    all.askRange(of("minui", 100), 0, 100, type);
    all.askRange(text.add("arith.extui " + x + " : " + type + " to i64"), 0, 2 * half - 1, "i64");
    all.askRange(text.add("arith.extsi " + x + " : " + type + " to i64"), -half, half - 1, "i64");
    all.check();
  }
}

// What a shift gives that is by as many bits as the type has, or more, or by any number, is not
// known.
TEST(BoundsOfOperations, NothingIsKnownOfShiftsBeyondTheWidth) {
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (const char *name : {"arith.shli", "arith.shrsi", "arith.shrui"}) {
      const std::string type = "i" + std::to_string(width);
      Expected all;
      Questions &text = all.text;
      const std::string x = text.unknown(type);
      text.within(x, 0, 1, type);
      std::vector<std::string> amounts{text.unknown(type)};
      for (int64_t by : {width, width + 1, 100u, 127u})
        amounts.push_back(text.constant(by, type));
      for (const std::string &by : amounts) {
        const std::string y = text.add(name + (" " + x + ", " + by) + " : " + type);
        if (by == amounts.front() && llvm::StringRef(name) != "arith.shli")
          continue; // shifted right by any number, it is still 0 or 1
        all.ask(false, "sge", y, text.constant(0, type), type);
        all.ask(false, "sle", y, text.constant(100, type), type);
      }
      all.check();
    }
}

// A comparison of x and y bounds their difference. Comparisons with another number do not.
TEST(BoundsOfOperations, ComparisonsBoundDifferences) {
  constexpr Interval range{0, 9};
  const char *const names[] = {"x", "y", "z"};
  for (llvm::StringRef predicate : predicateNames)
    for (unsigned left : {0, 1, 2})
      for (unsigned right : {0, 1, 2}) {
        if (left == right)
          continue;
        Questions text;
        std::string values[3];
        for (std::string &value : values) {
          value = text.unknown("i8");
          text.within(value, range.least, range.most, "i8");
        }
        text.fact(predicate, values[left], values[right], "i8");
        const std::string difference =
            text.add("arith.subi " + values[0] + ", " + values[1] + " : i8");
        auto holds = [&](int64_t a, int64_t b) { // no number is negative
          return llvm::StringSwitch<bool>(
                     predicate.drop_while([](char c) { return c == 's' || c == 'u'; }))
              .Case("eq", a == b)
              .Case("ne", a != b)
              .Case("lt", a < b)
              .Case("le", a <= b)
              .Case("gt", a > b)
              .Default(a >= b);
        };
        int64_t least = range.most, most = -range.most;
        for (int64_t x = range.least; x <= range.most; ++x)
          for (int64_t y = range.least; y <= range.most; ++y)
            for (int64_t z = range.least; z <= range.most; ++z) {
              const int64_t numbers[] = {x, y, z};
              if (!holds(numbers[left], numbers[right]))
                continue;
              least = std::min(least, x - y);
              most = std::max(most, x - y);
            }
        std::vector<bool> expected;
        std::vector<bool>
            isExpected; // what holds and is not proved is no error for the other predicates
        for (int64_t number = -range.most; number <= range.most; ++number) {
          text.ask("sge", difference, text.constant(number, "i8"), "i8");
          expected.push_back(number <= least);
          text.ask("sle", difference, text.constant(number, "i8"), "i8");
          expected.push_back(number >= most);
        }
        const std::vector<bool> proved = text.proved();
        const bool isKnown = predicate != "ne";
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_TRUE(expected[i] || !proved[i])
              << predicate.str() << " of " << names[left] << " and " << names[right] << ", " << i;
          EXPECT_TRUE(proved[i] || !expected[i] || !isKnown)
              << predicate.str() << " of " << names[left] << " and " << names[right] << ", " << i;
        }
      }
}

// Of several bounds of one value, those stay that no other bound implies.
TEST(BoundsOfOperations, TheClosestOfSeveralBoundsIsKept) {
  for (const char *type : {"i8", "i64"}) {
    llvm::SmallVector<int64_t> most{5, 7, 9};
    do {
      Expected all;
      Questions &text = all.text;
      const std::string x = text.unknown(type), n = text.unknown(type), m = text.unknown(type),
                        k = text.unknown(type);
      for (int64_t number : most)
        text.within(x, 1 - number, number, type);
      text.fact("slt", x, n, type);
      text.fact("sle", x, m, type);
      text.fact("sgt", x, k, type);
      all.askRange(x, -4, 5, type);
      all.ask(true, "slt", x, n, type);
      all.ask(true, "sle", x, m, type);
      all.ask(false, "slt", x, m, type);
      all.ask(true, "sgt", x, k, type);
      all.check();
    } while (std::next_permutation(most.begin(), most.end()));
  }
}
