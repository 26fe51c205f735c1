// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/RowAccesses.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/gangs/LaneShapes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace spl::mir;

bool spl::mir::accessesRows(scf::ForOp items, Block &round, Value variable) {
  const LaneShapes shapes(items);
  bool stores = false;
  const bool isOther = round
                           .walk([&](Operation *op) {
                             bool fits = isPure(op) || isa<CheckOp, scf::IfOp, scf::YieldOp>(op);
                             if (auto load = dyn_cast<LoadOp>(op)) {
                               fits = isAdjacent(shapes, load.getSlice(), load.getIndices()) ||
                                      shapes.isUniform(load.getResult());
                             } else if (auto store = dyn_cast<StoreOp>(op)) {
                               stores = true;
                               fits = isAdjacent(shapes, store.getSlice(), store.getIndices()) &&
                                      llvm::any_of(store.getIndices(), [&](Value index) {
                                        return dependsOn(index, variable);
                                      });
                             }
                             return fits ? WalkResult::advance() : WalkResult::interrupt();
                           })
                           .wasInterrupted();
  return stores && !isOther;
}
