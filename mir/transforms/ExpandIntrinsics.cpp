// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-expand-intrinsics: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/GroupOperations.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_EXPANDINTRINSICS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Lowering;

namespace {

// Composes one intrinsic of others, at its place.
struct Expansion {
  IntrinsicOp op;
  unsigned number; ///< of the operations expanded before
  OpBuilder builder{op};

  Value alongAxis(Id id) {
    return IntrinsicOp::create(builder, op.getLoc(), op.getType(), spl::intrinsics::row(id).name,
                               ValueRange(), op.getAxisAttr(), /*isUnsigned=*/false)
        .getResult();
  }
  template <typename Op> Value withoutOverflow(Value a, Value b) {
    using arith::IntegerOverflowFlags;
    return Op::create(builder, op.getLoc(), a, b,
                      IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw);
  }

  /// Null for a row that nothing is known to replace.
  Value run() {
    switch (op.getRow().id) {
    case Id::GlobalId: {
      Value group = alongAxis(Id::GroupId), size = alongAxis(Id::LocalSize);
      Value first = withoutOverflow<arith::MulIOp>(group, size);
      return withoutOverflow<arith::AddIOp>(first, alongAxis(Id::LocalId));
    }
    case Id::GlobalSize: {
      Value groups = alongAxis(Id::NumGroups), size = alongAxis(Id::LocalSize);
      return withoutOverflow<arith::MulIOp>(groups, size);
    }
    case Id::WarpSize:
      return arith::ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(32));
    case Id::WarpId: {
      Value five = arith::ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(5));
      return arith::ShRUIOp::create(builder, op.getLoc(), flatLocalId(op, builder), five);
    }
    case Id::GroupSum:
    case Id::GroupMin:
    case Id::GroupMax:
    case Id::GroupScan:
    case Id::GroupBroadcast:
      return expandGroupOperation(op, number, builder);
    default: // the table says Expand for rows above only; a unit test holds it to that
      return {};
    }
  }
};

/// Whether a kernel sees of its place only the global id, so that where one group ends and the next
/// begins makes no difference to it.
bool isUngrouped(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (isa<CallOp>(op))
      return WalkResult::interrupt();
    auto intrinsic = dyn_cast<IntrinsicOp>(op);
    if (!intrinsic)
      return WalkResult::advance();
    if (intrinsic.getRow().sync == spl::intrinsics::Sync::Group)
      return WalkResult::interrupt();
    if (intrinsic.getRow().varies == spl::intrinsics::Varies::Nothing)
      return WalkResult::advance();
    Id id = intrinsic.getRow().id;
    return id == Id::GlobalId || id == Id::GlobalSize ? WalkResult::advance()
                                                      : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

struct ExpandIntrinsicsPass : spl::mir::impl::ExpandIntrinsicsBase<ExpandIntrinsicsPass> {
  using ExpandIntrinsicsBase::ExpandIntrinsicsBase;

  bool isExpanded(const spl::intrinsics::Row &row) const {
    const Lowering &lowering = target == Target::Cpu ? row.cpu : row.nvptx;
    return lowering.kind == Lowering::Kind::Expand;
  }

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (target == Target::Cpu && isUngrouped(kernel))
        kernel->setAttr(SplDialect::ungroupedAttr, UnitAttr::get(&getContext()));
    unsigned count = 0;
    getOperation().walk([&](IntrinsicOp op) {
      if (!isExpanded(op.getRow()))
        return;
      Value value = Expansion{op, count++}.run();
      if (!value) {
        op.emitError() << "no expansion is known for '" << op.getName() << "'";
        return signalPassFailure();
      }
      op.getResult().replaceAllUsesWith(value);
      op.erase();
    });
  }
};

} // namespace
