// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-check-barriers: see Passes.td.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/Frames.h"
#include "mir/dialect/Report.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_CHECKBARRIERS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

namespace {

Location placeOf(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op->getLoc();
  return value.getLoc();
}

/// The name in the source of the memory that a slice is a view of, or "" if it has no name.
StringRef nameOf(Value slice) {
  slice = rootOf(slice);
  if (Operation *op = slice.getDefiningOp()) {
    auto name = op->getAttrOfType<StringAttr>(SplDialect::nameAttr);
    return name ? name.getValue() : "";
  }
  auto kernel = dyn_cast<KernelOp>(slice.getParentBlock()->getParentOp());
  if (!kernel)
    return "";
  auto name = kernel.getArgAttrOfType<StringAttr>(cast<BlockArgument>(slice).getArgNumber(),
                                                  SplDialect::nameAttr);
  return name ? name.getValue() : "";
}

/// The text of the note on a source of divergence, such as "it comes from 'a', which work-items may
/// write".
std::string reasonOf(Value source) {
  auto loadedFrom = [](Value slice) {
    StringRef name = nameOf(slice);
    return "it comes from " + (name.empty() ? "memory" : ("'" + name + "'").str()) +
           ", which work-items may write";
  };
  if (isa<SliceType>(source.getType()))
    return loadedFrom(source);
  Operation *op = source.getDefiningOp();
  if (auto load = dyn_cast_if_present<LoadOp>(op))
    return loadedFrom(load.getSlice());
  if (auto intrinsic = dyn_cast_if_present<IntrinsicOp>(op))
    return ("it comes from " + intrinsic.getName()).str();
  if (isa_and_present<AtomicOp>(op))
    return "it is the result of an atomic operation";
  if (auto call = dyn_cast_if_present<CallOp>(op))
    return ("'" + writtenCallee(call) + "' computes it from divergent values").str();
  return "it is divergent";
}

class Checker {
public:
  Checker(KernelOp kernel, UniformIn scope) : uniformity(kernel, scope), scope(scope) {}

  /// Checks a barrier of all work-items of the scope.
  LogicalResult check(IntrinsicOp op) {
    if (Operation *branch = uniformity.divergentBranch(op))
      return report(op, branch), failure();
    if (op.getRow().id == Id::GroupBroadcast && !uniformity.isUniform(op.getOperand(1))) {
      InFlightDiagnostic error =
          emitPassDiagnostic(framesOf(op.getLoc()).front(), PassDiagnostic::DivergentWorkItem);
      error << "the work-item of '" << op.getName() << "' must be uniform in the group";
      explain(op.getOperand(1), error);
      return failure();
    }
    return success();
  }

private:
  void report(IntrinsicOp op, Operation *branch) {
    // The error is at the barrier, or at the call that leads to it if the branch is in a caller.
    SmallVector<Location> own = framesOf(op.getLoc());
    SmallVector<Location> others = framesOf(branch->getLoc());
    bool isCall = own.size() > others.size();
    InFlightDiagnostic error = emitPassDiagnostic(
        isCall ? own[own.size() - others.size()] : own.front(), PassDiagnostic::DivergentBarrier);
    const bool isGrid = scope == UniformIn::Grid;
    error << "all work-items of the " << (isGrid ? "launch" : "group") << " must reach '"
          << op.getName() << "', but ";
    if (isCall)
      error << "not all of them reach this call";
    else
      error << "not all of them do";
    if (isCall)
      error.attachNote(own.front()) << "'" << op.getName() << "' is here";
    Diagnostic &note = error.attachNote(others.front());
    if (!explained.insert(branch->getLoc()).second) {
      note << "'" << op.getName()
           << "' depends on this too; an earlier error says where it differs";
      return;
    }
    const bool isIf = isa<scf::IfOp>(branch);
    if (dependsOnPosition(branch))
      note << (isIf ? "this condition differs between work-items; put it around the loads and "
                      "stores only"
                    : "the number of iterations of this loop differs between work-items; loop over "
                      "a range that is the same for all of them, with an 'if' around the loads and "
                      "stores")
           << ", so that all work-items reach '" << op.getName() << "'";
    else
      note << (isIf ? "this condition may differ between work-items"
                    : "the number of iterations of this loop may differ between work-items")
           << (isGrid ? "; 'gpu.grid_uniform' says that a value does not, and a number of "
                        "iterations may be a parameter"
                      : "; 'gpu.uniform' says that a value does not, and 'gpu.group_broadcast' "
                        "makes it that of one work-item");
    explain(uniformity.condition(branch), error);
  }

  /// Whether the condition depends on where the work-item is, as a test against a length does. No
  /// promise of the programmer makes it uniform then.
  bool dependsOnPosition(Operation *branch) {
    const SmallVector<Value> causes = uniformity.causes(uniformity.condition(branch));
    auto id = causes.back().getDefiningOp<IntrinsicOp>();
    return id &&
           llvm::is_contained({Id::GlobalId, Id::LocalId, Id::GroupId, Id::LaneId, Id::WarpId},
                              id.getRow().id);
  }

  /// Adds notes that follow a divergent value back to its source.
  void explain(Value value, InFlightDiagnostic &error) {
    constexpr size_t maxSteps = 4; // more notes do not help
    SmallVector<Value> causes = uniformity.causes(value);
    SmallVector<Location> shown;
    for (Value step : ArrayRef(causes).drop_back()) {
      Location place = framesOf(placeOf(step)).front();
      if (shown.size() == maxSteps || llvm::is_contained(shown, place))
        continue;
      shown.push_back(place);
      if (shown.size() > 1) // the first value is the condition, which already has a note
        error.attachNote(place) << "which depends on this";
    }
    error.attachNote(framesOf(placeOf(causes.back())).front())
        << reasonOf(causes.back()) << " here";
    if (scope == UniformIn::Grid)
      return;
    auto load = causes.back().getDefiningOp<LoadOp>();
    if (Operation *write = load ? uniformity.writeBeside(load) : nullptr)
      error.attachNote(framesOf(write->getLoc()).front())
          << "no barrier is between that and this write";
  }

  const Uniformity uniformity;
  const UniformIn scope;
  llvm::DenseSet<Location> explained; ///< branches whose notes were given
};

struct CheckBarriersPass : spl::mir::impl::CheckBarriersBase<CheckBarriersPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>()) {
      SmallVector<IntrinsicOp> barriers, gridBarriers;
      kernel.walk([&](IntrinsicOp op) {
        if (op.getRow().sync == Sync::Group)
          (op.getRow().id == Id::GridBarrier ? gridBarriers : barriers).push_back(op);
      });
      check(kernel, UniformIn::Group, barriers);
      check(kernel, UniformIn::Grid, gridBarriers);
      if (!gridBarriers.empty())
        markCooperative(kernel);
    }
  }

private:
  void check(KernelOp kernel, UniformIn scope, ArrayRef<IntrinsicOp> barriers) {
    if (barriers.empty())
      return;
    Checker checker(kernel, scope);
    for (IntrinsicOp barrier : barriers)
      if (failed(checker.check(barrier)))
        signalPassFailure();
  }

  static void markCooperative(KernelOp kernel) {
    spl::abi::Signature signature = kernel.getSignature();
    signature.isCooperative = true;
    kernel.setSignatureAttr(SignatureAttr::get(kernel.getContext(), std::move(signature)));
  }
};

} // namespace
