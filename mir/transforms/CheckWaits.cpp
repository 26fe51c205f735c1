// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-check-waits: see Passes.td. The pass collects the values in a loop on which its condition
// depends. If each of them is read from memory or is the same in each iteration, only a store by
// another work-item can end the loop.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/Report.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_CHECKWAITS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Sync;

namespace {

bool isLocal(Value slice) { return isa_and_present<LocalOp>(rootOf(slice).getDefiningOp()); }

/// Whether the atomic does not change the memory: it is a load, or an idiom for one, such as adding
/// 0.
bool onlyReads(AtomicOp op) {
  switch (op.getKind()) {
  case AtomicKind::Load:
    return true;
  case AtomicKind::Add:
  case AtomicKind::Sub:
  case AtomicKind::Or:
  case AtomicKind::Xor:
    return matchPattern(op.getValues().front(), m_Zero());
  case AtomicKind::Cas: {
    Attribute expected, replacement;
    return op.getValues()[0] == op.getValues()[1] ||
           (matchPattern(op.getValues()[0], m_Constant(&expected)) &&
            matchPattern(op.getValues()[1], m_Constant(&replacement)) && expected == replacement);
  }
  case AtomicKind::Min:
  case AtomicKind::Max:
  case AtomicKind::And:
  case AtomicKind::Inc:
  case AtomicKind::Dec:
  case AtomicKind::Exchange:
  case AtomicKind::Store:
    return false;
  }
  llvm_unreachable("every kind is above");
}

/// One loop, and what its condition depends on.
class Wait {
public:
  explicit Wait(scf::WhileOp loop) : loop(loop) {}

  /// The reads of memory that the loop waits for; empty if the loop can end without a store by
  /// others.
  ArrayRef<Operation *> find() {
    llvm::SetVector<Value> values;
    if (!follow(loop.getConditionOp().getCondition(), values) || reads.empty() || canEndItself())
      return {};
    for (Value value : values)
      if (makesProgress(value))
        return {};
    return reads.getArrayRef();
  }

private:
  /// Adds the values in the loop that the value depends on. Returns false if one can change without
  /// a store by others.
  bool follow(Value start, llvm::SetVector<Value> &values) {
    if (isInside(start))
      values.insert(start);
    for (size_t next = 0; next != values.size(); ++next) {
      SmallVector<Value> needs;
      if (!dependences(values[next], needs))
        return false;
      for (Value need : needs)
        if (isInside(need))
          values.insert(need);
    }
    return true;
  }

  bool isInside(Value value) {
    return loop->isAncestor(value.getParentBlock()->getParentOp()) &&
           value.getDefiningOp() != loop.getOperation();
  }

  bool dependences(Value value, SmallVector<Value> &needs) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (owner != loop)
        return addAll(owner, needs);
      const unsigned number = argument.getArgNumber();
      needs.push_back(argument.getOwner() == loop.getBeforeBody()
                          ? loop.getYieldOp().getOperand(number)
                          : loop.getConditionOp().getArgs()[number]);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (auto atomic = dyn_cast<AtomicOp>(op); atomic && !onlyReads(atomic))
      return false;
    if (isa<CallOp>(op))
      return false;
    if (auto intrinsic = dyn_cast<IntrinsicOp>(op);
        intrinsic && intrinsic.getRow().sync == Sync::Alone)
      return false; // gpu.clock changes by itself
    if (isa<LoadOp, AtomicOp>(op))
      (isLocal(op->getOperand(0)) ? localReads : reads).insert(op);
    return addAll(op, needs);
  }

  /// Adds the operands of the operation and those of the terminators of its regions.
  static bool addAll(Operation *op, SmallVector<Value> &needs) {
    llvm::append_range(needs, op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (block.mightHaveTerminator())
          llvm::append_range(needs, block.getTerminator()->getOperands());
    return true;
  }

  /// Whether the loop carries the value and computes it from its value in the last iteration, such
  /// as a counter. Values of type i1 are ignored, because they are flags that say whether the loop
  /// ends.
  bool makesProgress(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBeforeBody() || value.getType().isInteger(1))
      return false;
    Value next = loop.getYieldOp().getOperand(argument.getArgNumber());
    if (auto passed = dyn_cast<BlockArgument>(next);
        passed && passed.getOwner() == loop.getAfterBody() &&
        loop.getConditionOp().getArgs()[passed.getArgNumber()] == value)
      return false; // the value is the same in each iteration
    llvm::SetVector<Value> values;
    return !follow(next, values) || values.contains(value);
  }

  /// Whether the loop may write to the memory that it reads, may fail, or contains a barrier.
  bool canEndItself() {
    return loop
        ->walk([&](Operation *op) {
          if (auto intrinsic = dyn_cast<IntrinsicOp>(op);
              intrinsic && intrinsic.getRow().sync == Sync::Group)
            return WalkResult::interrupt();
          if (isa<CallOp>(op))
            return WalkResult::interrupt();
          if (auto check = dyn_cast<CheckOp>(op);
              check &&
              (check.getKind() == FaultKind::AssertionFailed || check.getKind() == FaultKind::Trap))
            return WalkResult::interrupt(); // the fault ends the loop
          Value stored;
          if (auto store = dyn_cast<StoreOp>(op))
            stored = store.getSlice();
          else if (auto copy = dyn_cast<CopyOp>(op))
            stored = copy.getTo();
          else if (auto atomic = dyn_cast<AtomicOp>(op); atomic && !onlyReads(atomic))
            stored = atomic.getSlice();
          const auto isStored = [&](Operation *read) {
            return rootOf(read->getOperand(0)) == rootOf(stored);
          };
          const bool changesWhatItReads =
              stored && (llvm::any_of(reads, isStored) || llvm::any_of(localReads, isStored));
          return changesWhatItReads ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  scf::WhileOp loop;
  llvm::SetVector<Operation *> reads;      ///< reads of memory that other work-items may write to
  llvm::SetVector<Operation *> localReads; ///< reads of local memory
};

/// The quoted name of the memory in the source, such as "'flag'", or "memory" if it has no name.
std::string nameOf(Operation *read) {
  if (auto name = read->getAttrOfType<StringAttr>(SplDialect::nameAttr))
    return ("'" + name.getValue() + "'").str();
  if (auto argument = dyn_cast<BlockArgument>(rootOf(read->getOperand(0))))
    if (auto function = dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      if (auto name =
              function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), SplDialect::nameAttr))
        return ("'" + name.getValue() + "'").str();
  return "memory";
}

struct CheckWaitsPass : spl::mir::impl::CheckWaitsBase<CheckWaitsPass> {
  using CheckWaitsBase::CheckWaitsBase;

  void runOnOperation() override {
    getOperation().walk([](scf::WhileOp loop) {
      Wait wait(loop);
      ArrayRef<Operation *> reads = wait.find();
      if (reads.empty())
        return;
      Operation *read = reads.front();
      const bool isPlain = isa<LoadOp>(read);
      InFlightDiagnostic warning = emitPassDiagnostic(loop.getLoc(), PassDiagnostic::SpinWait);
      warning << "this loop ends only when another work-item stores to " << nameOf(read);
      if (isPlain)
        warning << "; a plain read may never see the new value; use gpu.atomic_load";
      else
        warning
            << "; that work-item may never run if it is in the same group or in a later one; use "
               "gpu.barrier within a group, or limit the number of iterations";
    });
  }
};

} // namespace
