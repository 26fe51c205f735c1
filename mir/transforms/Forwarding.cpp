// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Forwarding.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace spl::mir {

SmallVector<Value, 2> forwarded(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (number < loop.getNumControlOperands())
      return {};
    number -= loop.getNumControlOperands();
    return {loop.getRegionIterArg(number), loop.getResult(number)};
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getBeforeArguments()[number]};
  if (isa<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    if (number == 0)
      return {};
    return {loop.getAfterArguments()[number - 1], loop.getResult(number - 1)};
  }
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return {loop.getRegionIterArg(number), loop.getResult(number)};
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return {loop.getBeforeArguments()[number]};
    return {parent->getResult(number)};
  }
  return {};
}

bool isView(Operation *op) {
  return isa_and_present<ReadOnlyOp, RowOp, SubsliceOp, PartOp, VectorsOp>(op);
}

Value rootOf(Value slice) {
  while (isView(slice.getDefiningOp()))
    slice = slice.getDefiningOp()->getOperand(0);
  return slice;
}

bool isNeverWritten(Value slice) {
  const Value root = rootOf(slice);
  if (isa_and_present<ConstantDataOp>(root.getDefiningOp()))
    return true;
  auto argument = dyn_cast<BlockArgument>(root);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  if (!kernel)
    return false;
  if (kernel.getArgAttr(argument.getArgNumber(), SplDialect::byValueAttr))
    return true;
  // An argument with #[alias] may share memory with one that the kernel writes.
  return !cast<SliceType>(root.getType()).getIsMut() &&
         llvm::none_of(kernel.getSignature().parameters,
                       [](const spl::Parameter &parameter) { return parameter.isAlias; });
}

llvm::SmallSetVector<Value, 8> viewsOf(Value slice) {
  llvm::SmallSetVector<Value, 8> views;
  views.insert(slice);
  for (size_t i = 0; i < views.size(); ++i)
    for (OpOperand &use : views[i].getUses()) {
      Operation *user = use.getOwner();
      if (isView(user) || isa<arith::SelectOp>(user))
        views.insert(user->getResult(0));
      for (Value next : forwarded(use))
        views.insert(next);
      if (isa<CallOp>(user)) // it may return its argument
        for (Value result : user->getResults())
          if (isa<SliceType>(result.getType()))
            views.insert(result);
    }
  return views;
}

} // namespace spl::mir
