// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-narrow-distances: see GpuPasses.td.
#include "intrinsics/Intrinsics.h"
#include "mir/bounds/Walk.h"
#include "mir/dialect/SmallSizes.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include <limits>

namespace spl::mir {
#define GEN_PASS_DEF_NARROWDISTANCES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using bounds::Analysis;

namespace {

/// The largest size of a step. A distance is less, so that a step of this size or more has one
/// round, as it has in 64 bits.
constexpr int64_t mostStep = std::numeric_limits<int32_t>::max();

/// The end of a range whose distance is `end - first - 1`. Null for another one.
Value endOf(const RangeLoop &range) {
  auto last = range.stride()->distance.getDefiningOp<arith::SubIOp>();
  auto whole = last ? last.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return whole && matchPattern(last.getRhs(), m_One()) && whole.getRhs() == range.firstValue()
             ? whole.getLhs()
             : Value();
}

/// Whether the distance is from 0 to mostStep - 1 if the range has a round, which it only has if
/// first < end.
bool isSmall(Analysis &analysis, const RangeLoop &range) {
  const Value end = endOf(range), first = range.firstValue();
  return end &&
         llvm::any_of(bounds::conjuncts(range.stride()->hasRound),
                      [&](Value condition) {
                        auto compare = condition.getDefiningOp<arith::CmpIOp>();
                        return compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
                               compare.getLhs() == first && compare.getRhs() == end;
                      }) &&
         analysis.rangeOf(end).most - analysis.rangeOf(first).least <= mostStep;
}

/// Whether the size of a step is the global size of launches with small sizes, which is at most
/// maxSmallSize.
bool isSmallGlobalSize(Value size) {
  auto id = size.getDefiningOp<IntrinsicOp>();
  return id && id.getRow().id == spl::intrinsics::Id::GlobalSize &&
         hasSmallSizes(id->getParentOfType<KernelOp>());
}

/// Whether the variable, and its value after the last round, are from 0 to 2^32 - 1: the first
/// value is not negative, the end is at most mostStep, and the step is the global size.
bool isSmallRange(Analysis &analysis, const RangeLoop &range) {
  return isSmallGlobalSize(range.stride()->size) &&
         analysis.rangeOf(range.firstValue()).least >= 0 &&
         analysis.rangeOf(endOf(range)).most <= mostStep;
}

/// Whether the loop compares the distance that is left with the size of a step, in i64.
bool canNarrow(Analysis &analysis, scf::WhileOp loop) {
  const std::optional<RangeLoop> range = RangeLoop::match(loop);
  if (!range || !range->stride() || !range->stride()->distance.getType().isInteger(64))
    return false;
  const RangeLoop::Stride &stride = *range->stride();
  BlockArgument left = loop.getAfterArguments()[2];
  return !stride.isUp && loop.getResult(2).use_empty() &&
         llvm::all_of(left.getUsers(),
                      [&](Operation *user) {
                        return isa<arith::CmpIOp, arith::SubIOp>(user) &&
                               user->getOperand(0) == left && user->getOperand(1) == stride.size;
                      }) &&
         llvm::hasSingleElement(loop.getBeforeArguments()[2].getUsers()) &&
         isSmall(analysis, *range);
}

/// The size of a step in i32.
Value narrowSize(OpBuilder &builder, Location location, Value size) {
  if (!isSmallGlobalSize(size))
    size = arith::MinUIOp::create(
        builder, location, size,
        arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(mostStep)));
  return arith::TruncIOp::create(builder, location, builder.getI32Type(), size);
}

void narrow(scf::WhileOp loop) {
  OpBuilder builder(loop);
  const Location location = loop.getLoc();
  const RangeLoop::Stride stride = *RangeLoop::match(loop)->stride();
  const Value size = narrowSize(builder, location, stride.size);
  const Type type = builder.getI32Type();
  loop.getInitsMutable()[2].set(arith::TruncIOp::create(builder, location, type, stride.distance));
  BlockArgument left = loop.getAfterArguments()[2];
  for (Operation *user : llvm::make_early_inc_range(left.getUsers())) {
    user->setOperand(1, size);
    if (isa<arith::SubIOp>(user))
      user->getResult(0).setType(type);
  }
  for (BlockArgument argument : {left, loop.getBeforeArguments()[2]})
    argument.setType(type);
  loop.getResult(2).setType(type);
}

struct NarrowDistancesPass : spl::mir::impl::NarrowDistancesBase<NarrowDistancesPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (!kernel->hasAttr(SplDialect::coldAttr))
        runOn(kernel);
  }

  static void runOn(KernelOp kernel) {
    SmallVector<scf::WhileOp> chosen; // the analysis needs the kernel as it is
    Analysis analysis(kernel);
    bounds::walk(analysis, kernel.getBody().front(), [&](Operation *op) {
      auto loop = dyn_cast<scf::WhileOp>(op);
      if (!loop || !canNarrow(analysis, loop))
        return;
      chosen.push_back(loop);
      if (isSmallRange(analysis, *RangeLoop::match(loop)))
        loop->setDiscardableAttr(SplDialect::smallRangeAttr, UnitAttr::get(loop.getContext()));
    });
    llvm::for_each(chosen, narrow);
  }
};

} // namespace
