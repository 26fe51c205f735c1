// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-batch-loops: see GpuPasses.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RangeLoop.h"
#include "mir/transforms/Versions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace spl::mir {
#define GEN_PASS_DEF_BATCHLOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;
using spl::intrinsics::Id;

namespace {

/// Iterations of a batch. nvcc unrolls by the same factor.
constexpr unsigned usualBatch = 4;
/// Where an address and its check wait for a load, batches of this size come first.
constexpr unsigned largeBatch = 8;
/// The maximum number of operations of a body, without its checks, lengths, constants and views.
constexpr size_t maxOperations = 16;

/// Operations of a body that run for all iterations of a batch before the operations after them,
/// and the checks that these need.
struct Stage {
  SmallVector<Operation *> operations;
  SmallVector<CheckOp> checks;
};

/// The stages of a body, and its operations that no check depends on.
struct Plan {
  SmallVector<Stage> stages;
  SmallVector<Operation *> rest;
  /// Checks under a condition. The last stage tests them too, whether or not the condition holds.
  SmallVector<CheckOp> conditional;

  /// Returns nothing if a check depends on what the iterations before compute, or if batches of a
  /// loop with effects would load nothing together.
  static std::optional<Plan> of(const RangeLoop &range);
  /// Whether all effects are loads, and a check waits for one of them.
  bool onlyGathers() const { return !hasEffects && loadsEarly(); }

private:
  bool add(CheckOp check, const RangeLoop &range);
  bool mayRunEarly(Operation *op) const;
  bool loadsEarly() const { return llvm::any_of(planned, llvm::IsaPred<LoadOp>); }
  void addConditional(const RangeLoop &range);

  bool hasEffects = false; ///< other than loads
  llvm::DenseSet<Operation *> planned;
};

/// Whether the operation may have effects that later ones depend on.
bool hasEffect(Operation &op) {
  return isa<StoreOp, AtomicOp>(op) ||
         (!isa<LoadOp, CheckOp>(op) && op.getNumRegions() == 0 && !isMemoryEffectFree(&op));
}

/// Whether the operation may run before those of the iterations before.
bool Plan::mayRunEarly(Operation *op) const {
  if (auto load = dyn_cast<LoadOp>(op))
    return !hasEffects || isNeverWritten(load.getSlice());
  return op->getNumRegions() == 0 && isPure(op);
}

/// Adds what the check depends on. If that has a load, it is in a stage after the checks before,
/// because these may guard the load.
bool Plan::add(CheckOp check, const RangeLoop &range) {
  SmallVector<Operation *> operations;
  SmallVector<Value> values{check.getCondition()};
  while (!values.empty()) {
    const Value value = values.pop_back_val();
    if (value == range.variableInBody() || isOutside(range.op(), value))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !mayRunEarly(op))
      return false;
    if (!planned.insert(op).second)
      continue;
    operations.push_back(op);
    llvm::append_range(values, op->getOperands());
  }
  llvm::sort(operations, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  const bool loads = llvm::any_of(operations, llvm::IsaPred<LoadOp>);
  if (stages.empty() || (loads && !stages.back().checks.empty()))
    stages.emplace_back();
  llvm::append_range(stages.back().operations, operations);
  stages.back().checks.push_back(check);
  return true;
}

/// Adds the checks under a condition that compare an index that is checked anyway. They are likely
/// to hold too.
void Plan::addConditional(const RangeLoop &range) {
  llvm::DenseSet<Value> indices;
  for (CheckOp check : stages.back().checks)
    if (auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>())
      indices.insert(compare.getLhs());
  for (auto choice : range.body().getOps<scf::IfOp>())
    choice.walk([&](CheckOp check) {
      auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
      if (compare && indices.contains(compare.getLhs()) && isOutside(range.op(), compare.getRhs()))
        conditional.push_back(check);
    });
}

std::optional<Plan> Plan::of(const RangeLoop &range) {
  Plan plan;
  range.body().walk([&](Operation *op) { plan.hasEffects |= hasEffect(*op); });
  for (CheckOp check : range.body().getOps<CheckOp>())
    if (!plan.add(check, range))
      return std::nullopt;
  if (plan.hasEffects && !plan.loadsEarly())
    return std::nullopt;
  if (!plan.stages.empty())
    plan.addConditional(range);
  for (Operation &op : range.body().without_terminator())
    if (!isa<CheckOp>(op) && !plan.planned.contains(&op))
      plan.rest.push_back(&op);
  return plan;
}

/// Whether batches may have the operation. The order of other atomics is one for all memory.
bool isSupported(Operation &op) {
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return atomic.getOrder() == MemoryOrder::Relaxed;
  return isa<LoadOp, StoreOp, CheckOp, scf::IfOp, scf::YieldOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

/// Whether the operation takes many instructions and registers. A minimum is one instruction.
bool isLong(Operation *op) {
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op))
    return !llvm::is_contained({Id::Min, Id::Max}, intrinsic.getRow().id);
  return isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
             arith::RemUIOp>(op);
}

/// Whether batches make the loop faster: their iterations load together, and compute little. Four
/// divisions at once need so many registers that fewer warps run at once, and so do four stores
/// that do not wait for a check. LLVM unrolls loops without checks whose step is one.
bool pays(const RangeLoop &range) {
  if (range.op()->hasAttr(SplDialect::unrollAttr) || range.mayBeLeft() || range.hasFixedBounds())
    return false;
  bool loads = false, effects = false;
  size_t size = 0;
  const WalkResult result = range.body().walk([&](Operation *op) {
    if (!isSupported(*op) || isLong(op))
      return WalkResult::interrupt();
    loads |= isa<LoadOp>(op);
    effects |= op->getNumRegions() != 0 || hasEffect(*op);
    size += !isa<CheckOp, ExtentOp, scf::YieldOp, arith::ConstantOp>(op) && !isView(op);
    return WalkResult::advance();
  });
  const bool checks = !range.body().getOps<CheckOp>().empty();
  return !result.wasInterrupted() && loads && size < maxOperations &&
         (checks || (range.stride() && !effects));
}

/// Puts a loop of batches before a loop, which then runs the last iterations. If a check fails in
/// one of the iterations of a batch, the batch does nothing, and the loop runs them one by one.
class Batches {
public:
  Batches(const RangeLoop &range, const Plan &plan, unsigned batch)
      : range(range), plan(plan), batch(batch), builder(range.op()), location(range.op()->getLoc()),
        mappings(batch) {}

  void emit() {
    SmallVector<Value> inits = range.firstArguments();
    const Value step =
        range.stride() ? range.stride()->step : constant(1, range.firstValue().getType());
    const Value stepOfBatch = timesBatch(step);
    const Value last = emitLast();
    if (!plan.stages.empty())
      inits.push_back(arith::ConstantOp::create(builder, location, builder.getBoolAttr(true)));
    auto batches = scf::WhileOp::create(builder, location, ValueRange(inits).getTypes(), inits);
    const SmallVector<Location> locations(inits.size(), location);
    OpBuilder::InsertionGuard guard(builder);
    Block *before =
        builder.createBlock(&batches.getBefore(), {}, ValueRange(inits).getTypes(), locations);
    Value more = emitMore(before->getArguments(), last);
    if (!plan.stages.empty())
      more = arith::AndIOp::create(builder, location, before->getArguments().back(), more);
    scf::ConditionOp::create(builder, location, more, before->getArguments());

    Block *body =
        builder.createBlock(&batches.getAfter(), {}, ValueRange(inits).getTypes(), locations);
    carried = SmallVector<Value>(body->getArguments().take_front(range.body().getNumArguments()));
    Value variable = carried.front();
    for (IRMapping &mapping : mappings) {
      mapping.map(range.variableInBody(), variable);
      variable = arith::AddIOp::create(builder, location, variable, step);
    }
    next = carried;
    next[0] = arith::AddIOp::create(builder, location, carried[0], stepOfBatch);
    if (range.stride())
      next[2] = arith::SubIOp::create(builder, location, carried[2], last);
    scf::YieldOp::create(builder, location, emitFrom(0));
    builder.setInsertionPointAfter(batches);
    SmallVector<Value> rest(batches.getResults().take_front(carried.size()));
    if (range.stride() && !range.stride()->isUp) {
      // The batches then need no variable beside their addresses and the distance that is left.
      Value gone = arith::SubIOp::create(builder, location, inits[2], rest[2]);
      if (gone.getType() != rest[0].getType()) // spl-narrow-distances
        gone = arith::ExtUIOp::create(builder, location, rest[0].getType(), gone);
      rest[0] = arith::AddIOp::create(builder, location, inits[0], gone);
    }
    range.startWith(rest);
  }

private:
  Value constant(uint64_t value, Type type) {
    return arith::ConstantOp::create(builder, location,
                                     builder.getIntegerAttr(type, int64_t(value)));
  }
  Value timesBatch(Value value) {
    return arith::MulIOp::create(builder, location, value, constant(batch, value.getType()));
  }

  /// What the loop of batches compares with: the value of the variable after all batches, or the
  /// distance of a batch.
  Value emitLast() {
    if (range.stride()) {
      const Value size = range.stride()->size;
      const unsigned bits = size.getType().getIntOrFloatBitWidth();
      // The steps of a batch must fit in the type.
      const Value fits = arith::CmpIOp::create(
          builder, location, CmpIPredicate::ult, size,
          arith::ConstantOp::create(
              builder, location,
              builder.getIntegerAttr(size.getType(),
                                     APInt::getOneBitSet(bits, bits - 1 - llvm::Log2_32(batch)))));
      mayRun = arith::AndIOp::create(builder, location, range.stride()->hasRound, fits);
      return timesBatch(size);
    }
    const Value rounds =
        arith::AndIOp::create(builder, location, range.rounds(builder),
                              constant(~uint64_t(batch - 1), range.firstValue().getType()));
    return arith::AddIOp::create(builder, location, range.firstValue(), rounds);
  }

  Value emitMore(ValueRange arguments, Value last) {
    if (!range.stride())
      return arith::CmpIOp::create(builder, location, CmpIPredicate::ne, arguments[0], last);
    // After a batch at least one iteration is left, so a batch does not change the second value.
    const Value isLeft =
        arith::CmpIOp::create(builder, location, CmpIPredicate::uge, arguments[2], last);
    return arith::AndIOp::create(builder, location, mayRun, isLeft);
  }

  /// Emits the stages from this one on, and the rest. Returns what the loop of batches carries.
  SmallVector<Value> emitFrom(size_t number) {
    if (number == plan.stages.size())
      return emitRest();
    const Stage &stage = plan.stages[number];
    for (IRMapping &mapping : mappings)
      for (Operation *op : stage.operations)
        builder.clone(*op, mapping);
    Value holds;
    for (CheckOp check : stage.checks)
      holds = both(holds, inAll([&](IRMapping &mapping) {
                     return mapping.lookupOrDefault(check.getCondition());
                   }));
    if (number + 1 == plan.stages.size())
      for (CheckOp check : plan.conditional)
        holds = both(holds, inAll([&](IRMapping &mapping) -> Value {
                       auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
                       return arith::CmpIOp::create(builder, location, compare.getPredicate(),
                                                    mapping.lookupOrDefault(compare.getLhs()),
                                                    compare.getRhs());
                     }));
    SmallVector<Value> otherwise = carried;
    auto choice = scf::IfOp::create(builder, location, types(), holds, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.elseBlock());
    otherwise.push_back(arith::ConstantOp::create(builder, location, builder.getBoolAttr(false)));
    scf::YieldOp::create(builder, location, otherwise);
    builder.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(builder, location, emitFrom(number + 1));
    return choice.getResults();
  }

  Value both(Value a, Value b) {
    return a ? arith::AndIOp::create(builder, location, a, b).getResult() : b;
  }

  /// Whether a check holds in all iterations. The checks of one length are joined before others are
  /// added. LLVM then compares only the largest index with the length.
  Value inAll(llvm::function_ref<Value(IRMapping &)> condition) {
    Value all;
    for (IRMapping &mapping : mappings)
      all = both(all, condition(mapping));
    return all;
  }

  /// Copies the operation without the checks that the stages test.
  void emitCopy(Operation *op, IRMapping &mapping) {
    builder.clone(*op, mapping);
    op->walk([&](CheckOp check) {
      if (llvm::is_contained(plan.conditional, check))
        mapping.lookup(check.getOperation())->erase();
    });
  }

  SmallVector<Value> emitRest() {
    ValueRange arguments = range.body().getArguments();
    ValueRange yielded = range.body().getTerminator()->getOperands();
    SmallVector<Value> values = carried;
    for (IRMapping &mapping : mappings) {
      mapping.map(arguments.drop_front(), ArrayRef(values).drop_front());
      for (Operation *op : plan.rest)
        emitCopy(op, mapping);
      llvm::transform(yielded, values.end() - yielded.size(),
                      [&](Value after) { return mapping.lookupOrDefault(after); });
    }
    const size_t own = range.stride() ? 3 : 1; // values of the range
    llvm::copy(ArrayRef(next).take_front(own), values.begin());
    if (!plan.stages.empty())
      values.push_back(arith::ConstantOp::create(builder, location, builder.getBoolAttr(true)));
    return values;
  }

  SmallVector<Type> types() {
    SmallVector<Type> result(ValueRange(carried).getTypes());
    result.push_back(builder.getI1Type());
    return result;
  }

  const RangeLoop &range;
  const Plan &plan;
  unsigned batch; ///< iterations
  OpBuilder builder;
  Location location;
  /// Of a range with a stride: whether there is a round, and a batch fits in the type.
  Value mayRun;
  SmallVector<Value> carried, next; ///< by the loop of batches; next has those of the range
  SmallVector<IRMapping> mappings;  ///< of the iterations of a batch
};

struct BatchLoopsPass : spl::mir::impl::BatchLoopsBase<BatchLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    std::vector<std::pair<RangeLoop, Plan>> loops;
    getOperation()->walk([&](Operation *op) {
      std::optional<RangeLoop> range = RangeLoop::match(op);
      if (!range || !pays(*range) || isInCold(op))
        return;
      if (std::optional<Plan> plan = Plan::of(*range))
        loops.emplace_back(*range, std::move(*plan));
    });
    for (auto &[range, plan] : loops) {
      if (plan.onlyGathers()) {
        Batches(range, plan, largeBatch).emit();
        range = *RangeLoop::match(range.op()); // it has other first values now
      }
      Batches(range, plan, usualBatch).emit();
      // The loop behind the batches runs few rounds. Unrolled, it is longer and not faster. It
      // keeps the distance: to compare the variable, it would need the end of the range.
      range.op()->removeDiscardableAttr(SplDialect::smallRangeAttr);
      range.op()->setDiscardableAttr(SplDialect::unrollAttr,
                                     Builder(&getContext()).getI64IntegerAttr(0));
    }
  }
};

} // namespace
