// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-interchange-rounds: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/RowAccesses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_INTERCHANGEROUNDS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// In rows of fewer work-items, a guard is better as a mask than as a limit of the loop.
constexpr int64_t minWidth = 64;

/// The only operation of the loop over work-items that is not pure, if it is the last one and a
/// loop that carries no values. Otherwise null.
scf::ForOp roundsIn(scf::ForOp items) {
  Block &body = *items.getBody();
  if (body.without_terminator().empty() || items.getNumResults() != 0)
    return {};
  auto rounds = dyn_cast<scf::ForOp>(*std::prev(body.getTerminator()->getIterator()));
  const bool isOnly = rounds && rounds.getNumResults() == 0 &&
                      llvm::all_of(body.without_terminator(), [&](Operation &op) {
                        return &op == rounds || (isPure(&op) && op.getNumRegions() == 0);
                      });
  return isOnly ? rounds : scf::ForOp();
}

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
  outer->setDiscardableAttrs(rounds->getDiscardableAttrDictionary());
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
      if (!usual || (usual.getInt() != 0 && usual.getInt() < minWidth))
        return;
      scf::ForOp rounds = roundsIn(items);
      if (rounds && hasSameRounds(items, rounds) &&
          accessesRows(items, *rounds.getBody(), rounds.getInductionVar()))
        interchange(items, rounds);
    });
  }
};

} // namespace
