// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-work-item-loops: see CpuPasses.td. A kernel whose work-items do not synchronise becomes one
// nest of loops around its whole body. Any other kernel is split at barriers
// (fission/BarrierFission.h).
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/GroupSize.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/GroupOperations.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mir/transforms/fission/SideBySide.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_WORKITEMLOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::abi::warpShift;
using spl::abi::warpSize;
using spl::intrinsics::Id;
using spl::intrinsics::Varies;

namespace {

/// Whether the operation is a local, lane or warp id, or a promise that a value is uniform.
bool isLocalId(Operation *op) {
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  if (!intrinsic)
    return false;
  Id id = intrinsic.getRow().id;
  return id == Id::LocalId || id == Id::LaneId || id == Id::WarpId ||
         spl::intrinsics::isUniformPromise(id);
}

/// The functions that report faults or use local ids, themselves or in functions that they call.
SetVector<Operation *> functionsWithLocalIds(ModuleOp module) {
  SymbolTable symbols(module);
  DenseMap<Operation *, SmallVector<Operation *>> callers;
  SetVector<Operation *> found;
  for (FuncOp function : module.getOps<FuncOp>())
    function.walk([&](Operation *op) {
      if (isLocalId(op) || isa<CheckOp, TraceOp>(op))
        found.insert(function);
      else if (auto call = dyn_cast<CallOp>(op))
        callers[symbols.lookup(call.getCallee())].push_back(function);
    });
  for (size_t i = 0; i < found.size(); ++i)
    found.insert(callers[found[i]].begin(), callers[found[i]].end());
  return found;
}

/// Moves uniform intrinsics without operands before the operation, and merges equal ones.
void hoistGroupValues(KernelOp kernel, Operation *before) {
  DenseMap<std::pair<Attribute, Attribute>, IntrinsicOp> values;
  kernel.walk([&](IntrinsicOp op) {
    if (op.getRow().varies != Varies::Group || !op.getOperands().empty())
      return;
    if (op->hasAttr(SplDialect::ungroupedAttr))
      return op->moveBefore(before);
    auto [found, isNew] = values.try_emplace({op.getNameAttr(), op.getAxisAttr()}, op);
    if (isNew)
      return op->moveBefore(before);
    op.getResult().replaceAllUsesWith(found->second.getResult());
    op.erase();
  });
}

/// The number of work-items that a group of the kernel usually has along x, or 0 for any number.
int64_t usualWidth(KernelOp kernel) {
  if (auto size = fixedGroupSize(kernel.getSignature()))
    return (*size)[0];
  constexpr std::array<int64_t, 3> byAxes{0, 16, 8}; // the runtime's choice
  int64_t last = 0;
  kernel.walk([&](IntrinsicOp op) {
    if (op.getRow().id == Id::LocalId)
      last = std::max(last, int64_t(*op.getAxis()));
  });
  return byAxes[last];
}

/// Moves the kernel's body except its return into loops over the local ids.
LocalIds wrapInLoops(KernelOp kernel) {
  const int64_t usual = kernel->hasAttr(SplDialect::ungroupedAttr) ? 0 : usualWidth(kernel);
  Block &block = kernel.getBody().front();
  OpBuilder builder(block.getTerminator());
  Location loc = kernel.getLoc();
  Type type = builder.getI64Type();
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  Value one = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  Operation *header = zero.getDefiningOp();

  LocalIds sizes, ids;
  for (auto [axis, size] : llvm::enumerate(sizes))
    size = IntrinsicOp::create(builder, loc, type, spl::intrinsics::row(Id::LocalSize).name,
                               ValueRange(), builder.getI64IntegerAttr(axis), false)
               .getResult();
  // Adjacent groups along x then run as one row. The target's lowering of this size returns the
  // length of the row.
  if (auto ungrouped = kernel->getAttr(SplDialect::ungroupedAttr))
    sizes[0].getDefiningOp()->setAttr(SplDialect::ungroupedAttr, ungrouped);
  for (int axis : {2, 1, 0}) {
    auto loop = scf::ForOp::create(builder, loc, zero, sizes[axis], one);
    ids[axis] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
    if (axis == 0)
      loop->setDiscardableAttr(SplDialect::workItemsAttr, builder.getI64IntegerAttr(usual));
  }
  Block &innermost = *builder.getInsertionBlock();
  innermost.getOperations().splice(innermost.begin(), block.getOperations(), block.begin(),
                                   header->getIterator());
  hoistGroupValues(kernel, header);
  return ids;
}

LocalIds addParameters(FuncOp function) {
  LocalIds ids;
  for (Value &id : ids) {
    unsigned position = function.getNumArguments();
    [[maybe_unused]] LogicalResult added = function.insertArgument(
        position, IntegerType::get(function.getContext(), 64), DictionaryAttr(), function.getLoc());
    assert(succeeded(added) && "a spl.func takes any i64");
    id = function.getArgument(position);
  }
  return ids;
}

struct WorkItemLoopsPass : spl::mir::impl::WorkItemLoopsBase<WorkItemLoopsPass> {
  using WorkItemLoopsBase::WorkItemLoopsBase;

  void runOnOperation() override {
    if (failed(requireExpanded()))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SetVector<Operation *> receivers = functionsWithLocalIds(getOperation());
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      if (!synchronisesGroup(kernel) && !synchronisesWarp(kernel)) {
        useLocalIds(kernel, wrapInLoops(kernel), symbols, receivers);
        continue;
      }
      auto passIds = [&](Operation *root, const LocalIds &ids) {
        useLocalIds(root, ids, symbols, receivers);
      };
      OwningOpRef<KernelOp> several = sideBySide ? copyForSideBySide(kernel) : nullptr;
      splitAtBarriers(kernel, passIds, usualWidth(kernel));
      if (!several)
        continue;
      auto passIdsOfSeveral = [&](Operation *root, const LocalIds &ids) {
        useLocalIds(root, ids, symbols, receivers);
        nameSideBySide(root, ids);
      };
      // Small groups without a fixed size are expected to have few work-items along x.
      const auto fixed = fixedGroupSize(kernel.getSignature());
      splitAtBarriers(*several, passIdsOfSeveral, fixed ? (*fixed)[0] : 0);
      addSideBySide(kernel, std::move(several));
    }
    // Functions are changed last, because the uniformity analysis of kernels must see the local ids
    // in them.
    for (Operation *function : receivers)
      useLocalIds(function, addParameters(cast<FuncOp>(function)), symbols, receivers);
  }

private:
  /// Gives each check the ids of its work-item in its own group. Those along x are added to the
  /// first group's, because a fault reports global ids.
  static void nameSideBySide(Operation *root, const LocalIds &ids) {
    root->walk([&](CheckOp check) {
      OpBuilder builder(check);
      Location loc = check.getLoc();
      Value width = IntrinsicOp::create(builder, loc, builder.getI64Type(),
                                        spl::intrinsics::row(Id::LocalSize).name, ValueRange(),
                                        builder.getI64IntegerAttr(0))
                        .getResult();
      Value before = arith::MulIOp::create(builder, loc, ids[0], width);
      Value x = arith::AddIOp::create(builder, loc, before, ids[1]);
      Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
      check.getWorkItemMutable().assign({x, ids[2], zero});
    });
  }

  // Reports an error for gpu.global_id, which this pass cannot replace.
  LogicalResult requireExpanded() {
    WalkResult result = getOperation().walk([](IntrinsicOp op) {
      if (op.getRow().id != Id::GlobalId)
        return WalkResult::advance();
      op.emitError() << "'" << op.getName() << "' must be expanded before spl-work-item-loops";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// The value of the operation for the work-item with these ids.
  static Value ownValue(IntrinsicOp op, const LocalIds &ids) {
    if (op.getRow().id == Id::LocalId)
      return ids[*op.getAxis()];
    if (spl::intrinsics::isUniformPromise(op.getRow().id))
      return op.getOperand(0);
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value flat = flatLocalId(op, ids, builder);
    bool isLane = op.getRow().id == Id::LaneId;
    Value number = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(isLane ? warpSize - 1 : warpShift));
    if (isLane)
      return arith::AndIOp::create(builder, loc, flat, number);
    return arith::ShRUIOp::create(builder, loc, flat, number);
  }

  void useLocalIds(Operation *function, const LocalIds &ids, SymbolTable &symbols,
                   const SetVector<Operation *> &receivers) {
    function->walk([&](Operation *op) {
      if (isLocalId(op)) {
        op->getResult(0).replaceAllUsesWith(ownValue(cast<IntrinsicOp>(op), ids));
        op->erase();
      } else if (auto check = dyn_cast<CheckOp>(op)) {
        check.getWorkItemMutable().assign(ids);
      } else if (auto trace = dyn_cast<TraceOp>(op)) {
        trace.getWorkItemMutable().assign(ids);
      } else if (auto call = dyn_cast<CallOp>(op)) {
        if (receivers.contains(symbols.lookup(call.getCallee())))
          call.getOperandsMutable().append(ids);
      }
    });
  }
};

} // namespace
