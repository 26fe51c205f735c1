// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that every operation has its location in the source.
#include "Generate.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <gtest/gtest.h>

using namespace spl::test;

/// "line:column" of the only operation of type OpT.
template <class OpT> static std::string placeOf(Generated &generated) {
  std::string place;
  generated.module->walk([&](OpT op) {
    auto location = llvm::dyn_cast<mlir::FileLineColLoc>(op->getLoc());
    std::string here =
        location ? std::to_string(location.getLine()) + ":" + std::to_string(location.getColumn())
                 : "none";
    place = place.empty() ? here : place + " " + here;
  });
  return place;
}

TEST(Locations, OfTheExpressionItself) {
  Generated generated("#[gpu]\n"
                      "fn k(n: i32, a: &[i32], out: &mut [i32]):\n"
                      "    if n < 3:\n"
                      "        out[n] = 7 - a[n + 1] / n\n");
  ASSERT_EQ(generated.error(), "");
  EXPECT_EQ(placeOf<spl::mir::KernelOp>(generated), "2:4");
  EXPECT_EQ(placeOf<mlir::scf::IfOp>(generated), "3:8");
  EXPECT_EQ(placeOf<spl::mir::StoreOp>(generated), "4:9");
  EXPECT_EQ(placeOf<spl::mir::LoadOp>(generated), "4:22");
  EXPECT_EQ(placeOf<spl::mir::CheckOp>(generated), "4:22");
  EXPECT_EQ(placeOf<mlir::arith::AddIOp>(generated), "4:24");
}

TEST(Locations, AreNeverUnknown) {
  Generated generated("fn f(n: i32) -> i32:\n"
                      "    for i in 0..n:\n"
                      "        if i == 3:\n"
                      "            return i ** n\n"
                      "    return n\n");
  ASSERT_EQ(generated.error(), "");
  generated.module->walk([&](mlir::Operation *op) {
    if (!llvm::isa<mlir::ModuleOp>(op))
      EXPECT_TRUE(llvm::isa<mlir::FileLineColLoc>(op->getLoc()))
          << op->getName().getStringRef().str();
  });
}

TEST(Locations, OfManyExpressionsOnALine) {
  // Columns are counted from the start of a long line. Lookups go forwards and backwards.
  std::string line = "    out[0] = 0";
  for (int i = 0; i < 500; ++i)
    line += " + a";
  Generated generated("#[gpu]\nfn k(a: i32, out: &mut [i32]):\n" + line + "\n    out[1] = a\n");
  ASSERT_EQ(generated.error(), "");
  EXPECT_EQ(placeOf<spl::mir::StoreOp>(generated), "3:5 4:5");
}
