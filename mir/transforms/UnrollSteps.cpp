// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-unroll-steps: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Constants.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_UNROLLSTEPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

constexpr unsigned maxIterations = 10;
/// The maximum number of operations of all unrolled loops of a kernel.
constexpr unsigned maxOperations = 1000;

//===-- The number of iterations --===//

/// What the targets are where the sources are these.
Constants passOn(ValueRange sources, ValueRange targets, const Constants &known) {
  Constants passed;
  for (auto [source, target] : llvm::zip_equal(sources, targets))
    if (Attribute constant = foldedConstant(source, known))
      passed.try_emplace(target, constant);
  return passed;
}

/// The number of iterations, if constants determine it and it is small.
std::optional<unsigned> countIterations(scf::WhileOp loop) {
  Constants known = passOn(loop.getInits(), loop.getBeforeArguments(), Constants());
  scf::ConditionOp condition = loop.getConditionOp();
  for (unsigned count = 0; count <= maxIterations; ++count) {
    auto runs = dyn_cast_if_present<IntegerAttr>(foldedConstant(condition.getCondition(), known));
    if (!runs)
      return std::nullopt;
    if (runs.getValue().isZero())
      return count;
    known = passOn(condition.getArgs(), loop.getAfterArguments(), known);
    known = passOn(loop.getYieldOp().getOperands(), loop.getBeforeArguments(), known);
  }
  return std::nullopt;
}

//===-- Unrolling --===//

/// Clones the block without its terminator, with these values for its arguments. Operations on
/// constants are folded. Returns the operands of the terminator from \p from on.
SmallVector<Value> cloneBlock(OpBuilder &builder, Block &block, ValueRange arguments,
                              unsigned from) {
  IRMapping map;
  map.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator()) {
    Operation *copy = builder.clone(op, map);
    SmallVector<Value> folded;
    if (copy->getNumRegions() != 0 || failed(builder.tryFold(copy, folded)) || folded.empty())
      continue;
    map.map(op.getResults(), folded);
    copy->erase();
  }
  SmallVector<Value> results;
  for (Value operand : block.getTerminator()->getOperands().drop_front(from))
    results.push_back(map.lookupOrDefault(operand));
  return results;
}

void unroll(scf::WhileOp loop, unsigned count) {
  OpBuilder builder(loop);
  SmallVector<Value> values(loop.getInits());
  for (unsigned number = 0;; ++number) {
    values = cloneBlock(builder, *loop.getBeforeBody(), values, /*from=*/1); // 0 is the condition
    if (number == count)
      break;
    values = cloneBlock(builder, *loop.getAfterBody(), values, /*from=*/0);
  }
  loop.replaceAllUsesWith(values);
  loop.erase();
}

/// Whether the loop has a barrier, or another operation of all work-items of the group, and no such
/// loop in it.
bool isInnermostWithBarrier(scf::WhileOp loop) {
  return synchronisesGroup(loop) && !loop.getAfterBody()
                                         ->walk([](LoopLikeOpInterface inner) {
                                           return synchronisesGroup(inner) ? WalkResult::interrupt()
                                                                           : WalkResult::advance();
                                         })
                                         .wasInterrupted();
}

unsigned countOperations(Operation *op) {
  unsigned count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

struct UnrollStepsPass : spl::mir::impl::UnrollStepsBase<UnrollStepsPass> {
  void runOnOperation() override {
    getOperation()->walk([](KernelOp kernel) { run(kernel); });
  }

private:
  static void run(KernelOp kernel) {
    SmallVector<std::pair<scf::WhileOp, unsigned>> loops;
    unsigned operations = 0;
    kernel.walk([&](scf::WhileOp loop) {
      if (!isInnermostWithBarrier(loop))
        return;
      const std::optional<unsigned> count = countIterations(loop);
      if (!count || operations + *count * countOperations(loop) > maxOperations)
        return;
      operations += *count * countOperations(loop);
      loops.emplace_back(loop, *count);
    });
    for (auto [loop, count] : loops)
      unroll(loop, count);
  }
};

} // namespace
