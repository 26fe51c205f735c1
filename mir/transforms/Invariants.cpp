// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Invariants.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

bool spl::mir::isOutside(Operation *loop, Value value) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

bool spl::mir::isInvariant(Operation *loop, Value value, unsigned depth) {
  if (isOutside(loop, value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth != 0 && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isInvariant(loop, operand, depth - 1); });
}

bool spl::mir::mayTrap(Operation *op) {
  return isa<arith::RemSIOp, arith::RemUIOp>(op) && !matchPattern(op->getOperand(1), m_NonZero());
}

bool spl::mir::dependsOn(Value value, Value variable) {
  if (value == variable)
    return true;
  SetVector<Operation *> needs;
  BackwardSliceOptions options;
  options.filter = [](Operation *op) { return isPure(op); };
  options.omitBlockArguments = true;
  options.inclusive = true;
  (void)getBackwardSlice(value, &needs, options);
  return llvm::any_of(
      needs, [&](Operation *op) { return llvm::is_contained(op->getOperands(), variable); });
}

void spl::mir::hoistInvariants(LoopLikeOpInterface loop) {
  moveLoopInvariantCode(
      loop.getLoopRegions(),
      [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [](Operation *op, Region *) {
        return isMemoryEffectFree(op) && isSpeculatable(op) && !mayTrap(op);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}
