// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-fixed-rounds: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_FIXEDROUNDS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// The loops in bodies of work-items whose end is computed from the id of a work-item along x.
SmallVector<scf::ForOp> loopsWithEnd(ModuleOp module) {
  SmallVector<scf::ForOp> loops;
  module.walk([&](scf::ForOp items) {
    if (items->hasAttr(SplDialect::workItemsAttr))
      items.getBody()->walk([&](scf::ForOp loop) {
        if (dependsOn(loop.getUpperBound(), items.getInductionVar()))
          loops.push_back(loop);
      });
  });
  return loops;
}

/// Erases the operation if nothing uses it, and then what only it used.
void eraseDead(Operation *op) {
  SmallVector<Operation *> rest{op};
  while (!rest.empty()) {
    Operation *next = rest.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    for (Value operand : next->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !llvm::is_contained(rest, source))
        rest.push_back(source);
    next->erase();
  }
}

struct FixedRoundsPass : spl::mir::impl::FixedRoundsBase<FixedRoundsPass> {
  void runOnOperation() override {
    const SmallVector<scf::ForOp> loops = loopsWithEnd(getOperation());
    if (loops.empty())
      return;
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForOp, APInt>> ends;
    for (scf::ForOp loop : loops) {
      auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(loop.getUpperBound());
      if (!range || range->getValue().isUninitialized())
        continue;
      if (std::optional<APInt> end = range->getValue().getValue().getConstantValue())
        ends.emplace_back(loop, *end);
    }
    for (auto &[loop, end] : ends) {
      OpBuilder builder(loop);
      const Value old = loop.getUpperBound();
      loop.setUpperBound(arith::ConstantOp::create(builder, loop.getLoc(),
                                                   builder.getIntegerAttr(old.getType(), end)));
      if (Operation *op = old.getDefiningOp())
        eraseDead(op);
    }
  }
};

} // namespace
