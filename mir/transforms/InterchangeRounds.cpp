// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-interchange-rounds: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/ItemRounds.h"
#include "mir/transforms/NarrowRows.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_INTERCHANGEROUNDS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// Whether all work-items have the same rounds: the bounds are from before the loop over work-items
/// or constants.
bool hasSameRounds(scf::ForOp items, scf::ForOp rounds) {
  const Value bounds[] = {rounds.getLowerBound(), rounds.getUpperBound(), rounds.getStep()};
  return llvm::all_of(bounds, [&](Value bound) {
    return isOutside(items, bound) || matchPattern(bound, m_Constant());
  });
}

/// Makes the loop over rounds the outer one.
void interchange(scf::ForOp items, scf::ForOp rounds) {
  OpBuilder builder(items);
  Location loc = rounds.getLoc();
  auto outside = [&](Value bound) {
    return isOutside(items, bound) ? bound : builder.clone(*bound.getDefiningOp())->getResult(0);
  };
  auto outer = scf::ForOp::create(builder, loc, outside(rounds.getLowerBound()),
                                  outside(rounds.getUpperBound()), outside(rounds.getStep()),
                                  ValueRange(), nullptr, rounds.getUnsignedCmp());
  // What the source unrolls is a round of one work-item.
  outer->setDiscardableAttrs(rounds->getDiscardableAttrDictionary());
  outer->removeDiscardableAttr(SplDialect::unrollAttr);
  rounds.getInductionVar().replaceAllUsesWith(outer.getInductionVar());
  items->moveBefore(outer.getBody()->getTerminator());
  Block &body = *rounds.getBody();
  items.getBody()->getOperations().splice(rounds->getIterator(), body.getOperations(), body.begin(),
                                          std::prev(body.end()));
  rounds.erase();
}

struct InterchangeRoundsPass : spl::mir::impl::InterchangeRoundsBase<InterchangeRoundsPass> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp items) {
      auto usual = items->getAttrOfType<IntegerAttr>(SplDialect::workItemsAttr);
      // In a narrow row, a guard is better as a mask than as a limit of the loop.
      if (!usual || (usual.getInt() != 0 && usual.getInt() < leastWide))
        return;
      auto rounds = dyn_cast_if_present<scf::ForOp>(onlyLoopIn(items));
      if (!rounds || rounds.getNumResults() != 0 || items.getNumResults() != 0 ||
          !hasSameRounds(items, rounds))
        return;
      const LaneShapes shapes(items);
      if (isCheapBefore(rounds, shapes) &&
          accessesRows(shapes, *rounds.getBody(), rounds.getInductionVar()))
        interchange(items, rounds);
    });
  }
};

} // namespace
