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

/// Moves what the value needs in front of the loop, where it does not depend on the loop.
static void hoistNeeds(Value value, scf::ForOp loop, unsigned depth = 0) {
  constexpr unsigned deepest = 8; // operations may use one value several times
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || depth == deepest ||
      !isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp,
           arith::ExtUIOp, arith::CmpIOp, arith::AndIOp>(op))
    return;
  for (Value operand : op->getOperands())
    hoistNeeds(operand, loop, depth + 1);
  if (llvm::all_of(op->getOperands(),
                   [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); }))
    op->moveBefore(loop);
}

/// Whether the condition is a conjunction with a part that holds for one value of the variable at
/// most.
static bool holdsOnce(Value condition, scf::ForOp loop, unsigned depth = 0) {
  constexpr unsigned deepest = 8; // operations may use one value several times
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op); both && depth != deepest)
    return holdsOnce(both.getLhs(), loop, depth + 1) || holdsOnce(both.getRhs(), loop, depth + 1);
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
  if (!loop->hasAttr(SplDialect::workItemsAttr) || loop.getNumResults() != 0 ||
      loop.getUnsignedCmp())
    return {};
  Operation *end = loop.getBody()->getTerminator();
  auto branch = dyn_cast_if_present<scf::IfOp>(end->getPrevNode());
  llvm::DenseSet<Operation *> needs;
  if (branch)
    hoistNeeds(branch.getCondition(), loop);
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
