// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-narrow-checks: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include <tuple>

namespace spl::mir {
#define GEN_PASS_DEF_NARROWCHECKS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// The outermost loop around the operation in which the slice is the same, or null.
Operation *outermostLoop(Operation *op, Value slice) {
  Operation *outermost = nullptr;
  for (Operation *loop = op->getParentOfType<LoopLikeOpInterface>(); loop && isOutside(loop, slice);
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    outermost = loop;
  return outermost;
}

struct NarrowChecksPass : spl::mir::impl::NarrowChecksBase<NarrowChecksPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      limits.clear();
      function->walk([&](CheckOp check) { narrow(check); });
    }
  }

private:
  void narrow(CheckOp check) {
    auto compare = check.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult)
      return;
    auto index = compare.getLhs().getDefiningOp<arith::ExtSIOp>();
    auto length = compare.getRhs().getDefiningOp<ExtentOp>();
    if (!index || !index.getIn().getType().isInteger(32) || !length)
      return;
    Operation *loop = outermostLoop(check, length.getSlice());
    if (!loop)
      return;
    OpBuilder builder(compare);
    check.getConditionMutable().assign(arith::CmpIOp::create(builder, compare.getLoc(),
                                                             arith::CmpIPredicate::ult,
                                                             index.getIn(), limitOf(length, loop)));
    if (compare->use_empty())
      compare->erase();
  }

  /// The smaller one of the length and 2^31, in 32 bits. A negative index is at least 2^31 as an
  /// unsigned number, and therefore fails the check.
  Value limitOf(ExtentOp length, Operation *loop) {
    Value &limit = limits[{length.getSlice(), length.getAxis(), loop}];
    if (limit)
      return limit;
    OpBuilder builder(loop);
    const Location location = length.getLoc();
    const Value wide = ExtentOp::create(builder, location, length.getSlice(), length.getAxis());
    const Value most =
        arith::ConstantOp::create(builder, location, builder.getI64IntegerAttr(int64_t(1) << 31));
    limit = arith::TruncIOp::create(builder, location, builder.getI32Type(),
                                    arith::MinUIOp::create(builder, location, wide, most));
    return limit;
  }

  llvm::DenseMap<std::tuple<Value, uint64_t, Operation *>, Value> limits;
};

} // namespace
