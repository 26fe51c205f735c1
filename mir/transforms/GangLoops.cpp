// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-gang-loops: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/NarrowRows.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/gangs/BreakCounters.h"
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangRows.h"
#include "mir/transforms/gangs/GangSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/Limits.h"

namespace spl::mir {
#define GEN_PASS_DEF_GANGLOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// Replaces a counted loop whose range differs between lanes by a loop with a condition.
void makeWhile(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types(ValueRange(inits).getTypes());
  auto made = scf::WhileOp::create(builder, loc, types, inits);
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  const SmallVector<Location> locations(types.size(), loc);
  Block *before = builder.createBlock(&made.getBefore(), {}, types, locations);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value isBelow =
      arith::CmpIOp::create(builder, loc, predicate, before->getArgument(0), loop.getUpperBound());
  scf::ConditionOp::create(builder, loc, isBelow, before->getArguments());
  Block *after = builder.createBlock(&made.getAfter(), {}, types, locations);
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Value> next{Value()};
  llvm::append_range(next, yield->getOperands());
  yield->erase();
  for (auto [old, argument] : llvm::zip(loop.getBody()->getArguments(), after->getArguments())) {
    llvm::replace(next, Value(old), Value(argument));
    old.replaceAllUsesWith(argument);
  }
  after->getOperations().splice(after->end(), loop.getBody()->getOperations());
  builder.setInsertionPointToEnd(after);
  next[0] = arith::AddIOp::create(builder, loc, after->getArgument(0), loop.getStep());
  scf::YieldOp::create(builder, loc, next);
  loop.replaceAllUsesWith(made.getResults().drop_front());
  loop.erase();
}

/// Emits the work-items of one gang from \p first on. If \p left is not null, only that many exist.
void emitGang(OpBuilder &builder, scf::ForOp items, const LaneShapes &shapes, int64_t lanes,
              Value first, Value left, bool isSparse) {
  Location loc = items.getLoc();
  Gang gang(builder, loc, shapes, lanes);
  gang.scalars.map(items.getInductionVar(), first);
  gang.isSparse = isSparse;
  gang.isWarp = items->hasAttr(SplDialect::warpAttr);
  if (left) {
    Type i32 = builder.getI32Type();
    Value size = integer(gang, lanes, left.getType());
    left = arith::MinSIOp::create(gang.builder, loc, left, size);
    left = arith::TruncIOp::create(gang.builder, loc, i32, left);
    gang.mask = arith::CmpIOp::create(gang.builder, loc, arith::CmpIPredicate::slt,
                                      laneNumbers(gang, i32), everywhere(gang, left));
  }
  emit(gang, *items.getBody());
}

/// Replaces the loop over the lanes of a warp by one gang.
void runWarp(scf::ForOp items, const LaneShapes &shapes) {
  OpBuilder builder(items);
  emitGang(builder, items, shapes, spl::abi::warpSize, items.getLowerBound(), Value(),
           /*isSparse=*/false);
  items.erase();
}

/// Replaces the loop over work-items by one over gangs. If groups usually have at least as many
/// work-items as a gang, whole gangs run without a mask, and the work-items that are left after
/// them with one.
void runInGangs(scf::ForOp items, const LaneShapes &shapes, int64_t lanes, bool isNarrow,
                unsigned vectorBits) {
  OpBuilder builder(items);
  Location loc = items.getLoc();
  Value lower = items.getLowerBound(), upper = items.getUpperBound();
  Value size = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(lanes));
  auto loopTo = [&](Value end) {
    auto loop = scf::ForOp::create(builder, loc, lower, end, size);
    builder.setInsertionPointToStart(loop.getBody());
    return loop;
  };
  auto leftFrom = [&](Value first) -> Value {
    return arith::SubIOp::create(builder, loc, upper, first);
  };
  if (isNarrow) {
    Value first = loopTo(upper).getInductionVar();
    emitGang(builder, items, shapes, lanes, first, leftFrom(first), /*isSparse=*/false);
  } else {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    Value count = arith::MaxSIOp::create(builder, loc, leftFrom(lower), constant(0));
    Value whole = arith::AndIOp::create(builder, loc, count, constant(-lanes));
    Value end = arith::AddIOp::create(builder, loc, lower, whole);
    scf::ForOp gangs = loopTo(end);
    emitGang(builder, items, shapes, lanes, gangs.getInductionVar(), Value(), /*isSparse=*/false);
    builder.setInsertionPoint(items);
    Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, end, upper);
    auto rest = scf::IfOp::create(builder, loc, isLeft, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(rest.thenBlock());
    emitGang(builder, items, shapes, lanes, end, leftFrom(end), /*isSparse=*/true);
    items.erase();
    return shareLoadsOfRows(gangs, rest, vectorBits);
  }
  items.erase();
}

/// Replaces the access to a row of a slice by one to the slice. The shapes of its indices then say
/// which elements the lanes access.
void accessDirectly(OpOperand &slice, MutableOperandRange indices) {
  while (auto row = slice.get().getDefiningOp<RowOp>()) {
    SmallVector<Value> all(row.getIndices());
    llvm::append_range(all, OperandRange(indices));
    slice.set(row.getSlice());
    indices.assign(all);
  }
}

void replaceRows(scf::ForOp items) {
  items.getBody()->walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      accessDirectly(load.getSliceMutable(), load.getIndicesMutable());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      accessDirectly(store.getSliceMutable(), store.getIndicesMutable());
    } else if (auto extent = dyn_cast<ExtentOp>(op)) {
      while (auto row = extent.getSlice().getDefiningOp<RowOp>()) {
        extent.setAxis(extent.getAxis() + row.getIndices().size());
        extent.getSliceMutable().assign(row.getSlice());
      }
    }
  });
}

/// Changes divergent loops to forms that gangs run faster, or at all. Returns whether there are
/// any.
bool prepareLoops(scf::ForOp items, const LaneShapes &shapes) {
  SmallVector<scf::ForOp> counted;
  SmallVector<scf::WhileOp> others;
  items.getBody()->walk([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    auto other = dyn_cast<scf::WhileOp>(op);
    if (loop && shapes.isDivergent(loop))
      counted.push_back(loop);
    else if (other && shapes.isDivergent(other))
      others.push_back(other);
  });
  llvm::for_each(counted, makeWhile);
  bool changed = !counted.empty();
  for (scf::WhileOp loop : others)
    changed |= countLastRound(loop);
  return changed;
}

/// Whether all accesses are of adjacent elements, or loads of one element. If LLVM vectorised other
/// loops, it would access scattered elements under masks, which takes longer than a branch.
bool accessesAdjacent(const LaneShapes &shapes, scf::ForOp items) {
  return !items.getBody()
              ->walk([&](Operation *op) {
                bool fits = true;
                if (auto load = dyn_cast<LoadOp>(op))
                  fits = loadsRow(shapes, load);
                else if (auto store = dyn_cast<StoreOp>(op))
                  fits = storesRow(shapes, store);
                return fits ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

struct GangLoopsPass : spl::mir::impl::GangLoopsBase<GangLoopsPass> {
  using GangLoopsBase::GangLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(SplDialect::workItemsAttr) && !loop->hasAttr(SplDialect::warpAttr))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip(); // a loop that text marks inside of it is replaced with it
    });
    for (scf::ForOp loop : loops) {
      if (auto usual = loop->getAttrOfType<IntegerAttr>(SplDialect::workItemsAttr))
        run(loop, usual.getInt());
      else
        run(loop, spl::abi::warpSize);
    }
  }

private:
  void run(scf::ForOp items, int64_t usual) {
    const bool isWarp = items->hasAttr(SplDialect::warpAttr);
    items->removeDiscardableAttr(SplDialect::workItemsAttr);
    replaceRows(items);
    std::optional<LaneShapes> shapes(items);
    // Narrow rows are left to LLVM as they are: the tiles of `matmul`, which have 16 columns, took
    // longer when LLVM vectorised their loops.
    if (!isWarp && !hasLongLoop(items) && (usual == 0 || usual >= leastWide) &&
        accessesAdjacent(*shapes, items) && !hasConditionalAtomic(*shapes, items)) {
      items->setDiscardableAttr(SplDialect::independentAttr, UnitAttr::get(&getContext()));
      return;
    }
    const int64_t lanes = gangSize(*shapes, items, vectorBits, usual);
    if (lanes == 0) {
      items->removeDiscardableAttr(SplDialect::warpAttr);
      return;
    }
    if (prepareLoops(items, *shapes))
      shapes.emplace(items);
    if (isWarp)
      runWarp(items, *shapes);
    else
      runInGangs(items, *shapes, lanes, usual != 0 && usual < lanes, vectorBits);
  }
};

} // namespace
