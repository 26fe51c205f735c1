// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/KeptLoads.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spl::mir;

/// The most iterations of an inner loop whose loads are kept. 32 rows of 64 lanes of f32 take 8 KiB
/// of the first cache.
static constexpr int64_t mostRows = 32;
/// The most loads that a gang keeps: their rows are on the stack.
static constexpr unsigned mostLoads = 4;
/// LLVM unrolls loops of so few iterations, and then finds itself what is invariant.
static constexpr int64_t fewRows = 8;
/// The most operations one after the other that compute an index or a bound.
static constexpr unsigned maxDepth = 4;

/// Whether the loop stores to memory that is not local.
static bool mayStore(const LaneShapes &shapes, scf::ForOp loop) {
  return loop.getBody()
      ->walk([&](Operation *op) {
        auto store = dyn_cast<StoreOp>(op);
        const bool stores = store ? !isLocal(shapes, store.getSlice()) : isa<CopyOp, AtomicOp>(op);
        return stores ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the loop counts from 0 to a number that is the same in each iteration of the outer loop,
/// and has no loop in it.
static bool canKeep(const LaneShapes &shapes, scf::ForOp inner, scf::ForOp outer) {
  APInt count;
  const bool isShort =
      matchPattern(inner.getUpperBound(), m_ConstantInt(&count)) && count.sle(fewRows);
  return !isShort && matchPattern(inner.getLowerBound(), m_Zero()) &&
         matchPattern(inner.getStep(), m_One()) && !shapes.isDivergent(inner) &&
         isInvariant(outer, inner.getUpperBound(), maxDepth) &&
         !inner.getBody()
              ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Whether the value depends on nothing that changes in the loops but the inner loop's variable.
static bool isSameInEachRound(Value value, scf::ForOp inner, scf::ForOp outer, unsigned depth) {
  if (value == inner.getInductionVar() || isOutside(outer, value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth != 0 && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isSameInEachRound(operand, inner, outer, depth - 1);
         });
}

void spl::mir::allocateKept(Gang &gang, scf::ForOp outer) {
  const bool none = gang.mask || mayStore(gang.shapes, outer);
  for (auto inner : outer.getBody()->getOps<scf::ForOp>()) {
    const bool keeps = !none && canKeep(gang.shapes, inner, outer);
    for (auto load : inner.getBody()->getOps<LoadOp>()) {
      gang.kept.erase(load); // a loop with masks is emitted after one without
      if (!keeps || gang.kept.size() == mostLoads || wayOf(gang.shapes, load) != Way::Scattered ||
          isa<VectorType>(load.getType()) || !llvm::all_of(load->getOperands(), [&](Value operand) {
            return isSameInEachRound(operand, inner, outer, maxDepth);
          }))
        continue;
      // The last row is for all iterations whose lanes are not kept.
      gang.kept[load] = allocateLanes(gang, load.getType(), mostRows + 1);
    }
  }
}

void spl::mir::emitWithKept(Gang &gang, scf::ForOp inner, llvm::function_ref<void()> emitLoop) {
  auto outer = dyn_cast<scf::ForOp>(inner->getParentOp());
  if (!outer || llvm::none_of(inner.getBody()->getOps<LoadOp>(),
                              [&](LoadOp load) { return gang.kept.contains(load); }))
    return emitLoop();
  Value count = scalarOf(gang, inner.getUpperBound());
  Value isLater = arith::CmpIOp::create(gang.builder, gang.loc, arith::CmpIPredicate::ne,
                                        scalarOf(gang, outer.getInductionVar()),
                                        scalarOf(gang, outer.getLowerBound()));
  Value fits = arith::CmpIOp::create(gang.builder, gang.loc, arith::CmpIPredicate::ule, count,
                                     integer(gang, mostRows, count.getType()));
  auto emitCopy = [&](bool loadsKept) {
    llvm::SaveAndRestore loads(gang.loadsKept, loadsKept);
    emitLoop();
    return representEach(gang, inner.getResults(), inner.getResults());
  };
  Value isKept = arith::AndIOp::create(gang.builder, gang.loc, isLater, fits);
  bindEach(gang, inner.getResults(),
           emitEither(
               gang, isKept, typesOfEach(gang, inner.getResults()), [&] { return emitCopy(true); },
               [&] { return emitCopy(false); }));
}

Values spl::mir::emitKept(Gang &gang, LoadOp load, llvm::function_ref<Values()> gather) {
  Value memory = gang.kept.lookup(load);
  if (!memory)
    return gather();
  Type i64 = gang.builder.getI64Type();
  Value row = scalarOf(gang, cast<scf::ForOp>(load->getParentOp()).getInductionVar());
  auto placeOf = [&](Value row) -> Value {
    if (row.getType() != i64)
      row = arith::ExtUIOp::create(gang.builder, gang.loc, i64, row);
    return arith::MulIOp::create(gang.builder, gang.loc, row, integer(gang, gang.lanes, i64));
  };
  if (gang.loadsKept)
    return {LoadLanesOp::create(gang.builder, gang.loc, laneType(gang, load.getType()), memory,
                                placeOf(row), Value())};
  Values lanes = gather();
  Value last = integer(gang, mostRows, row.getType());
  Value place = placeOf(arith::MinUIOp::create(gang.builder, gang.loc, row, last));
  StoreLanesOp::create(gang.builder, gang.loc, lanes.front(), memory, place, Value());
  return lanes;
}
