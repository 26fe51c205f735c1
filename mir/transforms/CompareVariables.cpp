// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-compare-variables: see GpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_COMPAREVARIABLES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

Value narrowed(OpBuilder &builder, Location location, Value value) {
  return arith::TruncIOp::create(builder, location, builder.getI32Type(), value);
}

/// Replaces the comparison of the distance that is left. The loop then carries the first distance
/// unchanged, which later passes remove.
void compareVariable(scf::WhileOp loop, const RangeLoop &range) {
  OpBuilder builder(loop);
  const Location location = loop.getLoc();
  const Value first = narrowed(builder, location, range.firstValue());
  const Value last = arith::AddIOp::create(builder, location, first, range.stride()->distance);
  const Value one = arith::ConstantOp::create(builder, location, builder.getI32IntegerAttr(1));
  const Value end = arith::AddIOp::create(builder, location, last, one);
  scf::YieldOp yield = loop.getYieldOp();
  builder.setInsertionPoint(yield);
  const Value next = narrowed(builder, location, yield.getOperand(0));
  yield->setOperand(1,
                    arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, next, end));
  yield->setOperand(2, loop.getAfterArguments()[2]);
  if (!loop->hasAttr(SplDialect::unrollAttr))
    loop->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
}

struct CompareVariablesPass : spl::mir::impl::CompareVariablesBase<CompareVariablesPass> {
  void runOnOperation() override {
    getOperation()->walk([](scf::WhileOp loop) {
      if (!loop->hasAttr(SplDialect::smallRangeAttr))
        return;
      const std::optional<RangeLoop> range = RangeLoop::match(loop);
      if (range && range->stride() && range->stride()->distance.getType().isInteger(32))
        compareVariable(loop, *range);
    });
  }
};

} // namespace
