// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-expand-intrinsics: see Passes.td.
#include "mir/transforms/Expansion.h"
#include "mir/transforms/Float16Emulation.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_EXPANDINTRINSICS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

/// Whether a kernel uses only global ids and sizes, so that its results do not depend on the group
/// size.
bool isUngrouped(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    if (isa<CallOp, TraceOp>(op))
      return WalkResult::interrupt();
    auto intrinsic = dyn_cast<IntrinsicOp>(op);
    if (!intrinsic)
      return WalkResult::advance();
    // A collective splits the kernel into parallel regions of one group.
    if (intrinsic.getRow().sync >= spl::intrinsics::Sync::Warp)
      return WalkResult::interrupt();
    if (intrinsic.getRow().varies == spl::intrinsics::Varies::Nothing)
      return WalkResult::advance();
    Id id = intrinsic.getRow().id;
    return id == Id::GlobalId || id == Id::GlobalSize ? WalkResult::advance()
                                                      : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Whether the operation is a function of f16 or bf16 that is computed in f32. Rows that accept any
/// type only move values. spl-emulate-float16 replaces fma.
bool isWidened(IntrinsicOp op) {
  if (llvm::none_of(op.getOperandTypes(), isFloat16))
    return false;
  using spl::intrinsics::Signature;
  const Id id = op.getRow().id;
  const Signature &signature = spl::intrinsics::signature(id);
  return id != Id::Fma && !signature.has(Signature::Kind::Any) &&
         !signature.has(Signature::Kind::Whole);
}

/// Folds arithmetic on constants, beginning with these operations.
void fold(llvm::SetVector<Operation *> operations) {
  while (!operations.empty()) {
    Operation *op = operations.pop_back_val();
    SmallVector<Value> values;
    if (!isa<arith::ArithDialect>(op->getDialect()) || failed(OpBuilder(op).tryFold(op, values)) ||
        values.empty())
      continue;
    operations.insert(op->user_begin(), op->user_end());
    op->replaceAllUsesWith(values);
    op->erase();
  }
}

struct ExpandIntrinsicsPass : spl::mir::impl::ExpandIntrinsicsBase<ExpandIntrinsicsPass> {
  using ExpandIntrinsicsBase::ExpandIntrinsicsBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (auto [names, set] : {std::pair(&rows, &expanded), std::pair(&f64Rows, &expandedForF64)}) {
      set->resize(spl::intrinsics::all().size());
      for (const std::string &name : *names) {
        const spl::intrinsics::Row *row = spl::intrinsics::find(name);
        if (!row)
          return emitError(UnknownLoc::get(context)) << "there is no intrinsic '" << name << "'";
        set->set(unsigned(row->id));
      }
    }
    return success();
  }

  bool isExpanded(IntrinsicOp op) const {
    const unsigned id = unsigned(op.getRow().id);
    if (expandedForF64.test(id))
      return getElementTypeOrSelf(op.getOperand(0)).isF64();
    return expanded.test(id);
  }

  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (workItemsAreLoops && isUngrouped(kernel))
        kernel->setAttr(SplDialect::ungroupedAttr, UnitAttr::get(&getContext()));
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(runOn(function)))
        return signalPassFailure();
  }

  LogicalResult runOn(FunctionOpInterface function) {
    unsigned count = 0;
    // A division by the size of a warp selects its divisor, until that is a constant.
    llvm::SetVector<Operation *> usersOfWarpSize;
    SmallVector<IntrinsicOp> pending;
    function.walk([&](IntrinsicOp op) { pending.push_back(op); });
    for (size_t next = 0; next != pending.size(); ++next) {
      IntrinsicOp op = pending[next];
      if (op.getRow().id == Id::WarpSize)
        for (Operation *user : op->getUsers())
          if (isa<arith::ArithDialect>(user->getDialect()))
            usersOfWarpSize.insert(user);
      const bool widens = isWidened(op);
      if (!widens && !isExpanded(op))
        continue;
      const unsigned index = count++;
      if (widens)
        expandWidened(op, index, pending);
      else if (!expand(op, index, pending))
        return op.emitError() << "no expansion is known for '" << op.getName() << "'";
      op.erase();
    }
    fold(std::move(usersOfWarpSize));
    return success();
  }

  llvm::BitVector expanded, expandedForF64; ///< by Id: the rows of the options rows and f64Rows
};

} // namespace
