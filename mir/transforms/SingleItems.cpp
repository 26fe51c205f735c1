// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/SingleItems.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/LoopLines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace spl::mir {

/// Whether the condition is a conjunction with a part that holds for one value of the variable at
/// most.
static bool holdsOnce(Value condition, scf::ForOp loop) {
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op))
    return holdsOnce(both.getLhs(), loop) || holdsOnce(both.getRhs(), loop);
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  const Value left = compare.getLhs(), right = compare.getRhs();
  return (loop.isDefinedOutsideOfLoop(right) && movesWithVariable(left, loop)) ||
         (loop.isDefinedOutsideOfLoop(left) && movesWithVariable(right, loop));
}

/// Adds what the operation needs of the loop's body. Returns false if that is not only arithmetic.
static bool addNeeds(Operation *op, scf::ForOp loop, llvm::DenseSet<Operation *> &needs) {
  SmallVector<Operation *> rest{op};
  while (!rest.empty()) {
    const WalkResult walk = rest.pop_back_val()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *source = operand.getDefiningOp();
        Operation *own = source ? loop.getBody()->findAncestorOpInBlock(*source) : nullptr;
        if (!own || own == op || !needs.insert(own).second)
          continue;
        if (!isPure(own))
          return WalkResult::interrupt();
        rest.push_back(own);
      }
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return false;
  }
  return true;
}

scf::ForOp splitSingle(scf::ForOp loop) {
  if (!loop->hasAttr(SplDialect::workItemsAttr) || loop.getNumResults() != 0)
    return {};
  Operation *end = loop.getBody()->getTerminator();
  auto branch = dyn_cast_if_present<scf::IfOp>(end->getPrevNode());
  llvm::DenseSet<Operation *> needs;
  if (!branch || branch.getNumResults() != 0 || !branch.getElseRegion().empty() ||
      !holdsOnce(branch.getCondition(), loop) || !addNeeds(branch, loop, needs))
    return {};
  auto isOther = [&](Operation &op) { return &op != branch && &op != end && !isPure(&op); };
  if (llvm::none_of(*loop.getBody(), isOther))
    return {};

  OpBuilder builder(loop);
  builder.setInsertionPointAfter(loop);
  auto single = scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                   loop.getUpperBound(), loop.getStep());
  single->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  builder.setInsertionPointToStart(single.getBody());
  IRMapping map;
  map.map(loop.getInductionVar(), single.getInductionVar());
  for (Operation &op : loop.getBody()->without_terminator())
    if (&op == branch || needs.contains(&op))
      builder.clone(op, map);
  branch.erase();
  return single;
}

} // namespace spl::mir
