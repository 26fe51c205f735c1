// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-gang-loops: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/gangs/Gang.h"
#include "mir/transforms/gangs/GangPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

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

/// Replaces the loop over work-items by one over gangs.
void runInGangs(scf::ForOp items, const LaneShapes &shapes, int64_t lanes) {
  OpBuilder builder(items);
  Location loc = items.getLoc();
  auto constant = [&](TypedAttr value) -> Value {
    return arith::ConstantOp::create(builder, loc, value);
  };
  Value size = constant(builder.getI64IntegerAttr(lanes));
  auto gangs = scf::ForOp::create(builder, loc, items.getLowerBound(), items.getUpperBound(), size);
  builder.setInsertionPointToStart(gangs.getBody());
  Gang gang(builder, loc, shapes, lanes);
  gang.scalars.map(items.getInductionVar(), gangs.getInductionVar());
  // The last gang may have fewer work-items.
  Type i32 = builder.getI32Type();
  Value left = arith::SubIOp::create(builder, loc, items.getUpperBound(), gangs.getInductionVar());
  left =
      arith::TruncIOp::create(builder, loc, i32, arith::MinSIOp::create(builder, loc, left, size));
  auto type = VectorType::get(lanes, i32);
  SmallVector<int32_t> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(int32_t(lane));
  gang.mask = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                    constant(DenseIntElementsAttr::get(type, numbers)),
                                    vector::BroadcastOp::create(builder, loc, type, left));
  gang.builder.setInsertionPointAfterValue(gang.mask);
  emit(gang, *items.getBody());
  items.erase();
}

/// Groups with fewer work-items along x are left to LLVM as they are: the tiles of `matmul`, which
/// have 16 columns, took longer when LLVM vectorised their loops.
constexpr int64_t minWidth = 64;

/// Whether all accesses are of adjacent elements, or loads of one element. If LLVM vectorised other
/// loops, it would access scattered elements under masks, which takes longer than a branch.
bool accessesAdjacent(const LaneShapes &shapes, scf::ForOp items) {
  return !items.getBody()
              ->walk([&](Operation *op) {
                bool fits = true;
                if (auto load = dyn_cast<LoadOp>(op))
                  fits = isAdjacent(shapes, load.getSlice(), load.getIndices()) ||
                         shapes.isUniform(load.getResult());
                else if (auto store = dyn_cast<StoreOp>(op))
                  fits = isAdjacent(shapes, store.getSlice(), store.getIndices());
                return fits ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

struct GangLoopsPass : spl::mir::impl::GangLoopsBase<GangLoopsPass> {
  using GangLoopsBase::GangLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(SplDialect::workItemsAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      auto usual = cast<IntegerAttr>(loop->removeAttr(SplDialect::workItemsAttr));
      run(loop, usual.getInt());
    }
  }

private:
  void run(scf::ForOp items, int64_t usual) {
    auto isLoop = [](LoopLikeOpInterface) { return WalkResult::interrupt(); };
    std::optional<LaneShapes> shapes(items);
    if (!items.getBody()->walk(isLoop).wasInterrupted()) {
      if ((usual == 0 || usual >= minWidth) && accessesAdjacent(*shapes, items))
        items->setDiscardableAttr(SplDialect::independentAttr, UnitAttr::get(&getContext()));
      return;
    }
    const int64_t lanes = gangSize(*shapes, items, vectorBits, usual);
    if (lanes == 0)
      return;
    SmallVector<scf::ForOp> divergent;
    items.getBody()->walk([&](scf::ForOp loop) {
      if (shapes->isDivergent(loop))
        divergent.push_back(loop);
    });
    llvm::for_each(divergent, makeWhile);
    if (!divergent.empty())
      shapes.emplace(items);
    runInGangs(items, *shapes, lanes);
  }
};

} // namespace
