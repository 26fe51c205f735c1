// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/LoopGuards.h"
#include "mir/dialect/Comparisons.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

static bool isEmpty(Region &region) {
  return region.empty() || llvm::hasSingleElement(region.front());
}

/// Whether a loop over fewer iterations may leave the operation out. A counted loop ends.
static bool mayBeLeftOut(Operation &op) {
  if (!isa<scf::ForOp, scf::IfOp>(op))
    return isMemoryEffectFree(&op) || isa<LoadOp>(op);
  return llvm::all_of(op.getRegions(), [](Region &region) {
    return region.empty() || llvm::all_of(region.front(), mayBeLeftOut);
  });
}

std::optional<LoopGuard> spl::mir::guardOf(scf::ForOp loop) {
  scf::IfOp found;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && !mayBeLeftOut(op)) {
      if (found)
        return std::nullopt;
      found = branch;
    } else if (!mayBeLeftOut(op)) {
      return std::nullopt;
    }
  }
  if (!found || found.getNumResults() != 0 ||
      isEmpty(found.getThenRegion()) == isEmpty(found.getElseRegion()))
    return std::nullopt;
  return LoopGuard{found, !isEmpty(found.getThenRegion())};
}

/// The parts of a conjunction, which holds if each of them has its truth value.
static SmallVector<GuardPart> partsOf(GuardPart conjunction) {
  SmallVector<GuardPart> parts, rest{conjunction};
  llvm::DenseSet<Value> seen[2]; // by truth value; a condition may occur in many others
  while (!rest.empty()) {
    const GuardPart part = rest.pop_back_val();
    const auto [condition, truth] = part;
    if (!seen[truth].insert(condition).second)
      continue;
    Operation *op = condition.getDefiningOp();
    auto flip = dyn_cast_or_null<arith::XOrIOp>(op);
    if (flip && matchPattern(flip.getRhs(), m_One()))
      rest.push_back({flip.getLhs(), !truth});
    else if (truth ? isa_and_nonnull<arith::AndIOp>(op) : isa_and_nonnull<arith::OrIOp>(op))
      rest.append({{op->getOperand(1), truth}, {op->getOperand(0), truth}});
    else
      parts.push_back(part);
  }
  return parts;
}

SmallVector<GuardPart> LoopGuard::parts() { return partsOf({op.getCondition(), truth}); }

GuardComparison spl::mir::comparisonOf(arith::CmpIOp compare, bool truth, scf::ForOp loop) {
  CmpIPredicate predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  if (loop.isDefinedOutsideOfLoop(compare.getLhs()))
    return {swapped(predicate), compare.getRhs(), compare.getLhs()};
  return {predicate, compare.getLhs(), compare.getRhs()};
}
