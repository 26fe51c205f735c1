// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests long and deeply nested programs: the stack does not overflow, and the time is linear in the
// length.
#include "Generate.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <ctime>
#include <gtest/gtest.h>

using namespace spl::test;

static const std::string head = "#[gpu]\nfn k(n: i32, out: &mut [i32]):\n";

static std::string indent(int depth) { return std::string(size_t(depth) * 4, ' '); }

/// The maximum nesting of regions below \p op.
static int depthOf(mlir::Operation *op) {
  int depth = 0;
  op->walk([&](mlir::Operation *inner) {
    int here = 0;
    for (mlir::Operation *around = inner; around != op; around = around->getParentOp())
      ++here;
    depth = std::max(depth, here);
  });
  return depth;
}

TEST(Limits, DeepBlocks) {
  std::string source = head + "    var s: i32 = 0\n";
  int depth = 1;
  for (; depth < 250; ++depth)
    source += indent(depth) + (depth % 3 ? "if s < n:\n" : "while s < n:\n");
  source += indent(depth) + "s += 1\n" + "    out[0] = s\n";
  EXPECT_EQ(Generated(source).error(), "");
}

TEST(Limits, DeepBlocksWithExits) {
  std::string source = head + "    var s: i32 = 0\n";
  int depth = 1;
  for (; depth < 250; ++depth)
    source += indent(depth) + "for i in s..n:\n";
  source += indent(depth) + "s += 1\n";
  for (; depth > 1; --depth)
    source += indent(depth) + (depth % 2 ? "if s == 9:\n" : "if s == 8:\n") + indent(depth + 1) +
              (depth % 2 ? "break\n" : "return\n") + indent(depth) + "s += 2\n";
  source += "    out[0] = s\n";
  EXPECT_EQ(Generated(source).error(), "");
}

TEST(Limits, ManyElifs) {
  std::string source = head + "    var s: i32 = 0\n    if n == 0:\n        s = 1\n";
  for (int i = 1; i < 250; ++i)
    source += "    elif n == " + std::to_string(i) + ":\n        s = " + std::to_string(i) + "\n";
  EXPECT_EQ(Generated(source + "    out[0] = s\n").error(), "");
}

TEST(Limits, DeepExpressions) {
  std::string left = "    out[0] = n", right = "    out[1] = ", logical = "    if out[0] == 0";
  for (int i = 0; i < 900; ++i)
    left += " - out[0]";
  for (int i = 0; i < 240; ++i) {
    right += "n - (";
    logical += i % 2 ? " and out[1] == 1" : " or out[2] == 1";
  }
  right += "n" + std::string(240, ')');
  EXPECT_EQ(Generated(head + left + "\n" + right + "\n" + logical + ":\n        pass\n").error(),
            "");
}

TEST(Limits, LongChainOfComparisonsStaysFlat) {
  std::string source = head + "    if 0 < out[0]";
  for (int i = 0; i < 400; ++i)
    source += " < out[1]";
  Generated generated(source + ":\n        out[0] = 1\n");
  ASSERT_EQ(generated.error(), "");
  EXPECT_LE(depthOf(*generated.module), 4);
}

TEST(Limits, ManyReturnsNestOnlySoFar) {
  std::string source = head + "    var s: i32 = 0\n";
  for (int i = 0; i < 5000; ++i) {
    std::string number = std::to_string(i);
    source += "    val v" + number + " = s + n\n    if v" + number + " == " + number +
              ":\n        return\n    s += v" + std::to_string(i / 2) + "\n";
  }
  Generated generated(source + "    out[0] = s\n");
  ASSERT_EQ(generated.error(), "");
  EXPECT_LE(depthOf(*generated.module), 80);
}

/// The seconds of processor time that a function of \p statements statements takes.
static double secondsFor(int statements) {
  std::string source = head;
  for (int i = 0; i < statements / 10; ++i)
    source += "    var v" + std::to_string(i) + " = n\n";
  for (int i = 0; i < statements; ++i)
    source += "    v" + std::to_string(i % (statements / 10)) + " += n\n";
  for (int i = 0; i < statements / 10; ++i)
    source += "    if n > 3:\n        v" + std::to_string(i) + " += 1\n";
  source += "    out[0] = v0\n";
  const std::clock_t start = std::clock();
  EXPECT_EQ(Generated(source).error(), "");
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Limits, ManyStatementsAndVariables) {
  double some = secondsFor(10'000), many = secondsFor(100'000);
  EXPECT_LT(many, 40 * some + 1) << "ten times the statements took more than forty times as long";
}
