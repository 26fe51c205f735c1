// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/ItemRounds.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace spl::mir;

Operation *spl::mir::onlyLoopIn(scf::ForOp items) {
  Block &body = *items.getBody();
  if (body.without_terminator().empty())
    return nullptr;
  Operation *loop = &*std::prev(body.getTerminator()->getIterator());
  const bool isOnly = isa<LoopLikeOpInterface>(loop) && loop->use_empty() &&
                      llvm::all_of(body.without_terminator(),
                                   [&](Operation &op) { return &op == loop || isPure(&op); });
  return isOnly ? loop : nullptr;
}

bool spl::mir::isCheapBefore(Operation *loop, const LaneShapes &shapes) {
  constexpr int64_t most = 16;
  auto before = llvm::make_range(loop->getBlock()->begin(), loop->getIterator());
  auto differs = [&](Operation &op) {
    return llvm::any_of(op.getResults(), [&](Value value) { return !shapes.isUniform(value); });
  };
  return llvm::count_if(before, differs) <= most && llvm::none_of(before, [&](Operation &op) {
           return differs(op) && (isa<IntrinsicOp>(op) || op.getNumRegions() != 0);
         });
}

bool spl::mir::accessesRows(const LaneShapes &shapes, Block &round, Value variable) {
  bool stores = false;
  auto fits = [&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      return loadsRow(shapes, load);
    if (auto store = dyn_cast<StoreOp>(op)) {
      stores = true;
      return storesRow(shapes, store) && llvm::any_of(store.getIndices(), [&](Value index) {
               return dependsOn(index, variable);
             });
    }
    return isPure(op) || isa<CheckOp, scf::IfOp, scf::YieldOp>(op);
  };
  const bool isOther = round
                           .walk([&](Operation *op) {
                             return fits(op) ? WalkResult::advance() : WalkResult::interrupt();
                           })
                           .wasInterrupted();
  return stores && !isOther;
}
