// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergence propagates from its sources along uses. Every value is visited once. Only the first
// cause of a value is stored, so that a chain of causes ends at a source.
#include "mir/transforms/Uniformity.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/WarpRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;
using spl::intrinsics::Varies;

Uniformity::Uniformity(KernelOp kernel, UniformIn scope)
    : kernel(kernel), scope(scope), intervals(kernel) {
  findMemory();
  findSources();
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (OpOperand &use : value.getUses())
      propagate(use);
  }
}

//===-- Memory --===//

// A slice is read-only during the launch if it is a view of a parameter that is not mut.
void Uniformity::findMemory() {
  SmallVector<Value> writable;
  for (BlockArgument argument : kernel.getArguments())
    if (auto slice = dyn_cast<SliceType>(argument.getType()); slice && slice.getIsMut())
      writable.push_back(argument);
  kernel.walk([&](Operation *op) {
    if (auto local = dyn_cast<LocalOp>(op)) {
      for (Value view : viewsOf(local.getResult()))
        localsOf[view].push_back(local.getResult());
    } else if (isa<SharedOp, SharedDynOp, CallOp>(op)) {
      for (Value result : op->getResults())
        if (isa<SliceType>(result.getType()))
          writable.push_back(result);
    }
  });
  for (Value slice : writable)
    for (Value view : viewsOf(slice))
      shared.insert(view);
}

//===-- Sources --===//

bool Uniformity::hasOwnDivergence(StringRef name) {
  Operation *function =
      SymbolTable::lookupNearestSymbolFrom(kernel, StringAttr::get(kernel.getContext(), name));
  auto [found, isNew] = functions.try_emplace(function, false);
  if (!isNew)
    return found->second;
  WalkResult result = function->walk([&](Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    bool diverges =
        call ? hasOwnDivergence(call.getCallee())
             : isa<AtomicOp, SharedOp, SharedDynOp>(op) || (isa<IntrinsicOp>(op) && isSource(op));
    return diverges ? WalkResult::interrupt() : WalkResult::advance();
  });
  return functions[function] = result.wasInterrupted();
}

bool Uniformity::isSource(CallOp call) {
  return hasOwnDivergence(call.getCallee()) ||
         llvm::any_of(call.getOperands(), [&](Value operand) { return shared.contains(operand); });
}

/// Whether other work-items may write to the memory while the group loads from it. Shared memory is
/// another one in each group.
bool Uniformity::mayChange(Operation *load, Value slice) const {
  return shared.contains(slice) && (scope == UniformIn::Grid || !intervals.isShared(slice) ||
                                    intervals.writeBeside(load, slice));
}

/// Whether the result may differ between work-items even if all operands are uniform.
bool Uniformity::isDivergent(IntrinsicOp intrinsic) const {
  const spl::intrinsics::Row &row = intrinsic.getRow();
  if (scope == UniformIn::Warp &&
      (row.id == Id::WarpId || (row.id == Id::LocalId && intrinsic.getAxis() != 0)))
    return false;
  if (scope != UniformIn::Grid || row.varies != Varies::Group)
    return row.varies == Varies::WorkItem;
  return row.id == Id::GroupId || row.sync == Sync::Group;
}

bool Uniformity::isUniformWhateverItsOperands(IntrinsicOp intrinsic) const {
  return scope != UniformIn::Grid ? intrinsic.getRow().varies == Varies::Group
                                  : intrinsic.getRow().id == Id::GridUniform;
}

bool Uniformity::isSource(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](IntrinsicOp intrinsic) { return isDivergent(intrinsic); })
      .Case([&](LoadOp load) { return mayChange(load, load.getSlice()); })
      .Case([](AtomicOp) { return true; })
      .Case([&](CallOp call) { return isSource(call); })
      .Default([](Operation *) { return false; });
}

void Uniformity::findSources() {
  kernel.walk([&](Operation *op) {
    if (isSource(op))
      propagateTo(op, Value());
    else if (auto copy = dyn_cast<CopyOp>(op); copy && mayChange(copy, copy.getFrom()))
      divergeMemory(copy.getTo(), copy.getFrom());
  });
}

//===-- Propagation --===//

void Uniformity::diverge(Value value, Value because) {
  if (divergent.try_emplace(value, because).second)
    work.push_back(value);
}

/// Marks the results of an operation with divergent operands, or of a source, as divergent. Does
/// the same for memory that it may write to.
void Uniformity::propagateTo(Operation *op, Value because) {
  for (Value result : op->getResults())
    diverge(result, because);
  if (!isa<CallOp>(op))
    return;
  for (Value operand : op->getOperands()) // it may store to the slice
    if (auto slice = dyn_cast<SliceType>(operand.getType()); slice && slice.getIsMut())
      divergeMemory(operand, because);
}

void Uniformity::divergeMemory(Value slice, Value because) {
  for (Value local : localsOf.lookup(slice))
    diverge(local, because);
}

// Not all work-items run the branch, or not equally often. Values that are assigned in it are
// divergent after it.
void Uniformity::enterDivergently(Operation *branch, Value because) {
  if (!branches.try_emplace(branch, because).second)
    return;
  for (Value result : branch->getResults())
    diverge(result, because);
  for (Region &region : branch->getRegions())
    for (BlockArgument argument : region.getArguments())
      diverge(argument, because);
  auto storesTo = [&](Value slice) {
    for (Value local : localsOf.lookup(slice))
      if (!branch->isAncestor(local.getDefiningOp()))
        diverge(local, because);
  };
  branch->walk([&](Operation *op) {
    if (auto store = dyn_cast<StoreOp>(op))
      storesTo(store.getSlice());
    else if (auto copy = dyn_cast<CopyOp>(op))
      storesTo(copy.getTo());
    else if (auto call = dyn_cast<CallOp>(op))
      llvm::for_each(call.getOperands(), storesTo);
  });
}

void Uniformity::propagate(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  for (Value next : forwarded(use))
    diverge(next, value);
  if (isa<scf::IfOp>(op))
    return enterDivergently(op, value);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (use.getOperandNumber() < loop.getNumControlOperands())
      enterDivergently(op, value);
    return;
  }
  if (isa<scf::ConditionOp>(op)) {
    if (use.getOperandNumber() == 0)
      enterDivergently(op->getParentOp(), value);
    return;
  }
  if (isa<scf::WhileOp, scf::YieldOp>(op))
    return;
  if (auto store = dyn_cast<StoreOp>(op))
    return divergeMemory(store.getSlice(), value);
  if (auto copy = dyn_cast<CopyOp>(op))
    return divergeMemory(copy.getTo(), value);
  if (auto intrinsic = dyn_cast<IntrinsicOp>(op);
      intrinsic && isUniformWhateverItsOperands(intrinsic))
    return;
  if (scope == UniformIn::Warp && isQuotientOfWarp(op))
    return;
  if (isa<ExtentOp>(op) && isa_and_present<LocalOp>(value.getDefiningOp()))
    return; // a local is divergent by its contents, not its extent
  propagateTo(op, value);
}

//===-- Queries --===//

Operation *Uniformity::divergentBranch(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp())
    if (branches.contains(parent))
      return parent;
  return nullptr;
}

SmallVector<Value> Uniformity::causes(Value value) const {
  SmallVector<Value> chain;
  for (; value; value = divergent.lookup(value))
    chain.push_back(value);
  return chain;
}
