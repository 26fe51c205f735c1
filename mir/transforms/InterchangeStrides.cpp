// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-interchange-strides: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/ItemRounds.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_INTERCHANGESTRIDES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// Whether atomics whose old values are not used are all that the loop's body does, beside loads
/// and checks. Then no work-item can wait for another one, and none can tell in which order they
/// run.
bool onlyUpdates(scf::WhileOp loop) {
  bool hasUpdate = false;
  const bool isOther = loop.getAfterBody()
                           ->walk([&](Operation *op) {
                             bool fits = isMemoryEffectFree(op) || isa<LoadOp, CheckOp>(op) ||
                                         op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
                             if (auto atomic = dyn_cast<AtomicOp>(op)) {
                               fits = atomic.getKind() != AtomicKind::Load && op->use_empty();
                               hasUpdate = true;
                             }
                             return fits ? WalkResult::advance() : WalkResult::interrupt();
                           })
                           .wasInterrupted();
  return hasUpdate && !isOther;
}

/// Whether the value is that of the first work-item plus the distance to it, without wrapping.
bool goesUp(Value value, scf::ForOp items, const LaneShapes &shapes) {
  Value x = items.getInductionVar();
  if (value == x)
    return true;
  auto sum = value.getDefiningOp<arith::AddIOp>();
  return sum && bitEnumContainsAll(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw) &&
         ((sum.getRhs() == x && shapes.isUniform(sum.getLhs())) ||
          (sum.getLhs() == x && shapes.isUniform(sum.getRhs())));
}

/// Whether work-items have a round if and only if their value is less than an end, the same for
/// all: the distance is that to the last value before the end.
bool haveOneEnd(const RangeLoop &range, const LaneShapes &shapes) {
  const Value first = range.firstValue();
  auto hasRound = range.stride()->hasRound.getDefiningOp<arith::CmpIOp>();
  auto distance = range.stride()->distance.getDefiningOp<arith::SubIOp>();
  auto far = distance ? distance.getLhs().getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  return hasRound && hasRound.getPredicate() == arith::CmpIPredicate::slt &&
         hasRound.getLhs() == first && far && matchPattern(distance.getRhs(), m_One()) &&
         far.getLhs() == hasRound.getRhs() && far.getRhs() == first &&
         shapes.isUniform(hasRound.getRhs());
}

bool canInterchange(scf::ForOp items, scf::WhileOp loop) {
  const std::optional<RangeLoop> range = RangeLoop::match(loop);
  if (items.getNumResults() != 0 || !matchPattern(items.getStep(), m_One()) ||
      loop.getNumResults() != 3 || !range || !range->stride() || range->mayBeLeft())
    return false;
  const RangeLoop::Stride &stride = *range->stride();
  const LaneShapes shapes(items);
  return stride.size == stride.step && range->firstValue().getType().isInteger(64) &&
         shapes.isUniform(stride.step) && goesUp(range->firstValue(), items, shapes) &&
         haveOneEnd(*range, shapes) && isCheapBefore(loop, shapes) &&
         (onlyUpdates(loop) || accessesRows(shapes, *loop.getAfterBody(), range->variableInBody()));
}

/// Emits the loop over rounds, and in it a loop over the work-items that have this round. These are
/// the first ones, up to the end of the range. A loop over rounds carries its variable, whether it
/// has a round, and the distance to the end (RangeLoop.h).
class Interchange {
public:
  Interchange(scf::ForOp items, scf::WhileOp loop)
      : items(items), loop(loop), builder(items), loc(loop.getLoc()) {}

  void run() {
    const Value lower = items.getLowerBound(), upper = items.getUpperBound();
    IRMapping ofFirst;
    copyBefore(lower, ofFirst);
    SmallVector<Value> inits;
    for (Value init : loop.getInits())
      inits.push_back(ofFirst.lookupOrDefault(init));
    Value isSome = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lower, upper);
    // Without work-items, what is computed for the first one may be poison.
    Value never = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    inits[1] = arith::SelectOp::create(builder, loc, isSome, inits[1], never);
    Value count = arith::SubIOp::create(builder, loc, upper, lower);
    Value last = arith::SubIOp::create(builder, loc, count, number(1));

    // The rounds of the first work-item. The others have no more.
    const SmallVector<Type> types(ValueRange(inits).getTypes());
    auto rounds = scf::WhileOp::create(builder, loc, types, inits);
    const SmallVector<Location> locations(types.size(), loc);
    Block *before = builder.createBlock(&rounds.getBefore(), {}, types, locations);
    scf::ConditionOp::create(builder, loc, before->getArgument(1), before->getArguments());
    Block *round = builder.createBlock(&rounds.getAfter(), {}, types, locations);
    emitRound(last, round->getArgument(0), round->getArgument(2));
    const RangeLoop::Stride stride = *RangeLoop::match(loop)->stride();
    Value step = ofFirst.lookupOrDefault(stride.step), left = round->getArgument(2);
    Value next = arith::AddIOp::create(builder, loc, round->getArgument(0), step);
    Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, left, step);
    left = arith::SubIOp::create(builder, loc, left, step);
    scf::YieldOp::create(builder, loc, ValueRange{next, more, left});
    items.erase();
  }

private:
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

  /// Emits what the work-item \p x computes before its loop.
  void copyBefore(Value x, IRMapping &map) {
    map.map(items.getInductionVar(), x);
    for (Operation &op : items.getBody()->without_terminator())
      if (&op != loop)
        builder.clone(op, map);
  }

  /// Emits one round. \p last is the number of work-items less one, \p variable that of the first
  /// work-item, and \p distance that to the end of the range.
  void emitRound(Value last, Value variable, Value distance) {
    constexpr auto nsw = arith::IntegerOverflowFlags::nsw;
    const Value lower = items.getLowerBound();
    Value lastHere = arith::MinUIOp::create(builder, loc, distance, last);
    Value end = arith::AddIOp::create(builder, loc, lower, lastHere, nsw);
    end = arith::AddIOp::create(builder, loc, end, number(1), nsw);
    auto inner = scf::ForOp::create(builder, loc, lower, end, items.getStep());
    inner->setDiscardableAttrs(items->getDiscardableAttrDictionary());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(inner.getBody());
    const Value x = inner.getInductionVar();
    IRMapping map;
    copyBefore(x, map);
    Value behind = arith::SubIOp::create(builder, loc, x, lower, nsw);
    const Value arguments[] = {arith::AddIOp::create(builder, loc, variable, behind, nsw),
                               arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)),
                               arith::SubIOp::create(builder, loc, distance, behind)};
    map.map(loop.getAfterArguments(), ArrayRef(arguments));
    for (Operation &op : loop.getAfterBody()->without_terminator())
      builder.clone(op, map);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*inner.getBody())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  scf::ForOp items;
  scf::WhileOp loop;
  OpBuilder builder;
  Location loc;
};

struct InterchangeStridesPass : spl::mir::impl::InterchangeStridesBase<InterchangeStridesPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop->hasAttr(SplDialect::workItemsAttr))
        loops.push_back(loop);
    });
    for (scf::ForOp items : loops)
      if (auto loop = dyn_cast_if_present<scf::WhileOp>(onlyLoopIn(items));
          loop && canInterchange(items, loop))
        Interchange(items, loop).run();
  }
};

} // namespace
