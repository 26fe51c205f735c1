// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard on a sum bounds what the sum is made of, if the sum does not wrap.
#include "test/unit/mir/bounds/Questions.h"

using namespace spl::test;

namespace {

/// A value of i8 from least to most, and a guard on 'value operation number'. The guard leaves
/// the values from newLeast to newMost.
struct Row {
  const char *operation;
  int64_t number;
  const char *predicate;
  int64_t bound, least, most, newLeast, newMost;
};

} // namespace

TEST(BoundsOfGuards, OnSumsBoundTheirOperands) {
  const Row rows[] = {
      {"addi", 1, "slt", 10, -100, 126, -100, 8},
      {"addi", 1, "slt", 10, -100, 127, -100, 127}, // 127 + 1 wraps
      {"addi", 1, "sle", 10, -100, 126, -100, 9},
      {"addi", 1, "sgt", 10, -100, 126, 10, 126},
      {"addi", 1, "sge", 10, -100, 126, 9, 126},
      {"addi", 1, "eq", 10, -100, 126, 9, 9},
      {"addi", 1, "ne", 101, -100, 100, -100, 99},
      {"addi", 1, "ne", -99, -100, 100, -99, 100},
      {"addi", 1, "ne", 100, -100, 100, -100, 100},
      {"addi", 2, "ult", 10, -100, 125, -2, 7},
      {"addi", 2, "ule", 10, -100, 125, -2, 8},
      {"addi", 2, "ult", 10, -100, 126, -100, 126}, // 126 + 2 wraps
      {"addi", 2, "ugt", 10, -2, 125, 9, 125},
      {"addi", 2, "uge", 10, -2, 125, 8, 125},
      {"addi", 2, "uge", 10, -3, 125, -3, 125}, // -3 + 2 is large as an unsigned number
      {"addi", -5, "sge", 3, -123, 100, 8, 100},
      {"addi", -5, "sge", 3, -124, 100, -124, 100}, // -124 - 5 wraps
      {"subi", 5, "sge", 3, -123, 100, 8, 100},
      {"subi", 5, "sge", 3, -124, 100, -124, 100},
      {"subi", -5, "slt", 30, -128, 122, -128, 24},
      {"subi", -5, "slt", 30, -128, 123, -128, 123},
      {"subi", -128, "slt", 30, -128, -1, -128, -1}, // 128 is no number of the type
  };
  for (const Row &row : rows) {
    Expected all;
    Questions &text = all.text;
    const std::string value = text.unknown("i8");
    text.within(value, row.least, row.most, "i8");
    const std::string sum = text.add(llvm::Twine("arith.") + row.operation + " " + value + ", " +
                                     text.constant(row.number, "i8") + " : i8");
    text.fact(row.predicate, sum, text.constant(row.bound, "i8"), "i8");
    all.askRange(value, row.newLeast, row.newMost, "i8");
    all.check();
  }
}

TEST(BoundsOfGuards, OnSumsOfSums) {
  Expected all;
  Questions &text = all.text;
  const std::string value = text.unknown("i8");
  text.within(value, -100, 100, "i8");
  std::string sum = value;
  for (int64_t number : {3, 4})
    sum = text.add("arith.addi " + sum + ", " + text.constant(number, "i8") + " : i8");
  text.fact("slt", sum, text.constant(50, "i8"), "i8");
  all.askRange(value, -100, 42, "i8");
  all.check();
}

TEST(BoundsOfGuards, OnWiderValuesBoundTheNarrowOnes) {
  struct Extension {
    const char *name;
    int64_t least;
    bool isExact; ///< the wider value is the same number
  };
  for (const Extension &extension :
       {Extension{"extsi", -100, true}, {"extui", 0, true}, {"extui", -1, false}}) {
    Expected all;
    Questions &text = all.text;
    const std::string value = text.unknown("i8");
    text.within(value, extension.least, 100, "i8");
    const std::string wide =
        text.add(llvm::Twine("arith.") + extension.name + " " + value + " : i8 to i16");
    const std::string sum =
        text.add("arith.addi " + wide + ", " + text.constant(300, "i16") + " : i16");
    text.fact("slt", sum, text.constant(310, "i16"), "i16");
    all.askRange(value, extension.least, extension.isExact ? 9 : 100, "i8");
    all.check();
  }
}

// A condition under which the guard's sum does not wrap is no part of proofs without the guard.
TEST(BoundsOfGuards, AddNoConditions) {
  Expected all("%n: i64 {spl.name = \"n\"}, %m: i64 {spl.name = \"m\"}");
  Questions &text = all.text;
  const std::string sum = text.add("arith.addi %n, " + text.constant(1) + " : i64");
  text.fact("sge", "%n", text.constant(3));
  text.fact("slt", sum, "%m");
  all.ask(true, "sge", "%n", text.constant(3));
  all.ask(true, "slt", sum, "%m");
  all.ask(false, "slt", "%n", "%m");
  all.check();
}
