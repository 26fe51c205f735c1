// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-unroll-local-arrays: see GpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Constants.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spl::mir {
#define GEN_PASS_DEF_UNROLLLOCALARRAYS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

// Limits beyond which loops stay loops, as nvcc's do.
constexpr int64_t maxIterations = 64;
/// The maximum number of operations of a loop after unrolling.
constexpr int64_t maxOperations = 4096;
/// The same for a loop that this pass unrolls itself.
constexpr int64_t maxOuterOperations = 512;
constexpr unsigned maxDepth = 16;

using Counts = llvm::MapVector<Operation *, int64_t>;

/// Loops that are to be unrolled.
struct Loops {
  Counts counts;                             ///< the numbers of their iterations
  llvm::SmallSetVector<scf::ForOp, 2> outer; ///< those that the bounds of other loops depend on
};

/// The number of values from \p lower to below \p upper.
std::optional<int64_t> countBetween(Value lower, Value upper, bool isUnsigned) {
  Attribute from = foldedConstant(lower), to = foldedConstant(upper);
  if (!from || !to)
    return std::nullopt;
  Attribute one = Builder(lower.getContext()).getIntegerAttr(lower.getType(), 1);
  std::optional<APInt> count = constantTripCount(from, to, one, !isUnsigned,
                                                 [](Value, Value, bool) { return std::nullopt; });
  return count ? std::optional(int64_t(count->getLimitedValue(INT32_MAX))) : std::nullopt;
}

/// The maximum number of iterations of a loop for which \p condition holds. \p counter is the
/// number of the operand that counts the iterations.
std::optional<int64_t> countWhile(scf::WhileOp loop, Value condition, unsigned counter) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    std::optional<int64_t> count = countWhile(loop, both.getLhs(), counter);
    return count ? count : countWhile(loop, both.getRhs(), counter);
  }
  Value first = loop.getInits()[counter];
  // Tested before each iteration: counter < upper.
  if (auto test = condition.getDefiningOp<arith::CmpIOp>()) {
    const bool isUnsigned = test.getPredicate() == arith::CmpIPredicate::ult;
    if (test.getLhs() != loop.getBeforeArguments()[counter] ||
        (!isUnsigned && test.getPredicate() != arith::CmpIPredicate::slt))
      return std::nullopt;
    return countBetween(first, test.getRhs(), isUnsigned);
  }
  // Tested at the end of each iteration: counter != last.
  auto carried = dyn_cast<BlockArgument>(condition);
  if (!carried || carried.getOwner() != loop.getBeforeBody())
    return std::nullopt;
  auto test = loop.getYieldOp().getOperand(carried.getArgNumber()).getDefiningOp<arith::CmpIOp>();
  if (!test || test.getPredicate() != arith::CmpIPredicate::ne ||
      test.getLhs() != loop.getAfterArguments()[counter])
    return std::nullopt;
  std::optional<int64_t> count = countBetween(first, test.getRhs(), /*isUnsigned=*/true);
  return count ? std::optional(*count + 1) : std::nullopt;
}

/// The maximum number of iterations of the loop that counts them in the block argument.
std::optional<int64_t> iterations(BlockArgument counter) {
  Operation *op = counter.getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return counter == loop.getInductionVar() && matchPattern(loop.getStep(), m_One())
               ? countBetween(loop.getLowerBound(), loop.getUpperBound(), loop.getUnsignedCmp())
               : std::nullopt;
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop || counter.getOwner() != loop.getAfterBody() ||
      !llvm::equal(loop.getConditionOp().getArgs(), loop.getBeforeArguments()))
    return std::nullopt;
  const unsigned number = counter.getArgNumber();
  auto next = loop.getYieldOp().getOperand(number).getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != counter || !matchPattern(next.getRhs(), m_One()))
    return std::nullopt;
  return countWhile(loop, loop.getConditionOp().getCondition(), number);
}

/// Whether unrolling makes the value a constant. Adds the loops on whose iteration it depends.
bool becomesConstant(Value index, Loops &loops, unsigned depth = 0) {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    if (std::optional<int64_t> count = iterations(argument)) {
      loops.counts.insert({argument.getOwner()->getParentOp(), *count});
      return *count <= maxIterations;
    }
    // The loops around may make its bounds constants.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    Loops around;
    if (!loop || argument != loop.getInductionVar() ||
        !llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                      [&](Value bound) { return becomesConstant(bound, around, depth); }))
      return false;
    for (Operation *each : llvm::make_first_range(around.counts))
      if (auto counted = dyn_cast<scf::ForOp>(each))
        loops.outer.insert(counted);
    return !around.counts.empty();
  }
  Operation *op = index.getDefiningOp();
  if (matchPattern(op, m_Constant()))
    return true;
  return depth != maxDepth && op->getDialect() == op->getContext()->getLoadedDialect("arith") &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return becomesConstant(operand, loops, depth + 1); });
}

/// Whether all accesses to the memory have constant indices after the loops are unrolled.
bool isIndexedByLoops(LocalOp memory, Loops &loops) {
  auto areGood = [&](ValueRange indices) {
    return llvm::all_of(indices, [&](Value index) { return becomesConstant(index, loops); });
  };
  for (Value view : viewsOf(memory))
    for (Operation *user : view.getUsers()) {
      const bool isGood =
          llvm::TypeSwitch<Operation *, bool>(user)
              .Case<LoadOp, StoreOp, PartOp>([&](auto op) { return areGood(op.getIndices()); })
              .Case([&](CopyOp op) {
                return areGood(op.getFromIndices()) && areGood(op.getToIndices());
              })
              .Case<ReadOnlyOp, ExtentOp>([](auto) { return true; })
              .Default(false);
      if (!isGood)
        return false;
    }
  return true;
}

/// Whether the operation costs nothing once the indices of local arrays are constants.
bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>() ||
         isa<PartOp, ExtentOp>(op);
}

/// The number of operations of the loop after it and the other ones are unrolled.
int64_t sizeOf(Operation *loop, const Counts &loops) {
  int64_t operations = 0;
  loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == loop || !loops.contains(op)) {
      operations += !isFree(op);
      return WalkResult::advance();
    }
    operations += sizeOf(op, loops);
    return WalkResult::skip();
  });
  return operations * loops.lookup(loop);
}

/// Unrolls loops on whose iteration the bounds of inner loops depend. Returns whether it has
/// unrolled any.
bool unrollOuter(Operation *function) {
  llvm::SmallSetVector<scf::ForOp, 4> chosen;
  function->walk([&](LocalOp memory) {
    Loops loops;
    if (isIndexedByLoops(memory, loops))
      chosen.insert_range(loops.outer);
  });
  bool changed = false;
  for (scf::ForOp loop : chosen) {
    std::optional<int64_t> count = iterations(cast<BlockArgument>(loop.getInductionVar()));
    const bool hasInner =
        llvm::any_of(chosen, [&](scf::ForOp other) { return loop->isProperAncestor(other); });
    if (hasInner || !count)
      continue;
    Counts alone;
    alone.insert({loop, *count});
    if (sizeOf(loop, alone) <= maxOuterOperations)
      changed |= succeeded(loopUnrollFull(loop));
  }
  return changed;
}

/// Requests unrolling of the loops that index the memory. Does nothing if an index would not become
/// a constant, or a loop exceeds the limits.
void requestUnrolling(LocalOp memory) {
  Loops loops;
  if (!isIndexedByLoops(memory, loops) || !loops.outer.empty())
    return;
  auto stays = [&](const auto &loop) {
    auto request = loop.first->template getAttrOfType<IntegerAttr>(SplDialect::unrollAttr);
    const bool isPartial = request && request.getInt() != 1 && request.getInt() != loop.second;
    return isPartial || sizeOf(loop.first, loops.counts) > maxOperations;
  };
  if (llvm::any_of(loops.counts, stays))
    return;
  Builder builder(memory.getContext());
  for (const auto &[loop, count] : loops.counts)
    loop->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(count));
}

struct UnrollLocalArraysPass : spl::mir::impl::UnrollLocalArraysBase<UnrollLocalArraysPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      while (unrollOuter(function)) {
      }
      function->walk(requestUnrolling);
    }
  }
};

} // namespace
