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
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_FIXEDROUNDS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// Whether arithmetic computes the value from parameters and the variables of signed loops, whose
/// bounds are computed so too. MLIR's analysis takes the range of each loop's variable from the
/// signed values of its bounds, also if the loop compares them without a sign.
bool isOfIds(Value value, unsigned depth = 8) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return isa<FunctionOpInterface>(parent);
    return depth != 0 && argument == loop.getInductionVar() && !loop.getUnsignedCmp() &&
           isOfIds(loop.getLowerBound(), depth - 1) && isOfIds(loop.getUpperBound(), depth - 1);
  }
  Operation *op = value.getDefiningOp();
  return depth != 0 && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOfIds(operand, depth - 1); });
}

/// The loops in bodies of work-items whose end is computed from the id of a work-item along x.
SetVector<Operation *> loopsWithEnd(ModuleOp module) {
  SetVector<Operation *> loops;
  module.walk([&](scf::ForOp items) {
    if (items->hasAttr(SplDialect::workItemsAttr))
      items.getBody()->walk([&](scf::ForOp loop) {
        if (dependsOn(loop.getUpperBound(), items.getInductionVar()) &&
            isOfIds(loop.getUpperBound()))
          loops.insert(loop);
      });
  });
  return loops;
}

struct FixedRoundsPass : spl::mir::impl::FixedRoundsBase<FixedRoundsPass> {
  void runOnOperation() override {
    const SetVector<Operation *> loops = loopsWithEnd(getOperation());
    if (loops.empty())
      return;
    DataFlowSolver solver;
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    if (failed(solver.initializeAndRun(getOperation())))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForOp, APInt>> ends;
    for (Operation *op : loops) {
      auto loop = cast<scf::ForOp>(op);
      auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(loop.getUpperBound());
      if (!range || range->getValue().isUninitialized())
        continue;
      if (std::optional<APInt> end = range->getValue().getValue().getConstantValue())
        ends.emplace_back(loop, *end);
    }
    SetVector<Operation *> changed;
    for (auto &[loop, end] : ends) {
      OpBuilder builder(loop);
      loop.setUpperBound(arith::ConstantOp::create(
          builder, loop.getLoc(), builder.getIntegerAttr(loop.getUpperBound().getType(), end)));
      changed.insert(loop->getParentOfType<FunctionOpInterface>());
    }
    // Comparisons of the old ends would look as if they were conditions of the work-items.
    IRRewriter rewriter(&getContext());
    for (Operation *function : changed)
      (void)runRegionDCE(rewriter, function->getRegions());
  }
};

} // namespace
