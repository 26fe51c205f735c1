// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-inline: see Passes.td. Callees are processed before their callers, so an inlined body is
// final, and the size of a caller is the sum of known sizes.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/Report.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Inliner.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_INLINECALLS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

struct Function {
  SmallVector<CallOp> calls;                 ///< in its body before inlining
  llvm::SmallSetVector<Operation *, 4> left; ///< functions that it still calls after inlining
  size_t size = 0;                           ///< number of operations
  unsigned sites = 0;                        ///< number of calls of it in the module
  unsigned depth = 0;                        ///< nesting of inlined calls
  Operation *reachedFrom = nullptr; ///< a caller that is reached from a root; null for a root
  bool isCooperative = false;       ///< it or a callee has collectives or shared memory
  bool isVisited = false;
  bool isDone = false;
};

struct InlineCallsPass : spl::mir::impl::InlineCallsBase<InlineCallsPass> {
  using InlineCallsBase::InlineCallsBase;

  void runOnOperation() override {
    functions.clear();
    SymbolTable symbols(getOperation());
    collect(symbols);
    InlinerInterface interface(&getContext());
    for (Operation *function : calleesFirst())
      if (failed(inlineInto(function, interface)))
        return signalPassFailure();
    eraseUncalled(symbols);
  }

private:
  Operation *calleeOf(CallOp call) { return callees.lookup(call.getCalleeAttr().getAttr()); }

  void collect(SymbolTable &symbols) {
    callees.clear();
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      Function &entry = functions[function];
      callees[function.getNameAttr()] = function;
      function.getFunctionBody().walk([&](Operation *op) {
        ++entry.size;
        entry.isCooperative |= isCooperative(op);
        if (auto call = dyn_cast<CallOp>(op))
          entry.calls.push_back(call);
      });
    }
    for (auto &[function, entry] : functions)
      for (CallOp call : entry.calls)
        ++functions[calleeOf(call)].sites;
  }

  static bool isRoot(Operation *function) {
    return isa<KernelOp>(function) || cast<SymbolOpInterface>(function).isPublic();
  }

  /// The functions that are reached from roots, in post-order. It is not recursive, because call
  /// chains may be long.
  SmallVector<Operation *> calleesFirst() {
    SmallVector<Operation *> order;
    SmallVector<std::pair<Operation *, size_t>> path; // functions with the index of the next call
    auto visit = [&](Operation *function, Operation *caller) {
      if (std::exchange(functions[function].isVisited, true))
        return;
      functions[function].reachedFrom = caller;
      path.push_back({function, 0});
    };
    for (auto &[root, entry] : functions) {
      if (isRoot(root))
        visit(root, nullptr);
      while (!path.empty()) {
        auto &[function, next] = path.back();
        ArrayRef<CallOp> calls = functions[function].calls;
        if (next < calls.size()) {
          visit(calleeOf(calls[next++]), function);
          continue;
        }
        order.push_back(function);
        path.pop_back();
      }
    }
    return order;
  }

  /// Whether the operation is a collective or shared memory, which later passes handle only in a
  /// kernel.
  static bool isCooperative(Operation *op) {
    if (auto intrinsic = dyn_cast<IntrinsicOp>(op))
      return intrinsic.getRow().sync >= spl::intrinsics::Sync::Warp;
    return isa<SharedOp, SharedDynOp>(op);
  }

  bool fits(const Function &caller, Operation *target) const {
    const Function &callee = functions.find(target)->second;
    if (callee.isCooperative)
      return true; // otherwise refuse has reported an error
    if (target->hasAttr(SplDialect::noinlineAttr))
      return false;
    return callee.isDone && caller.size + callee.size <= maxCaller && callee.depth < maxDepth &&
           (callee.sites == 1 || callee.size <= maxCallee ||
            target->hasAttr(SplDialect::inlineAttr));
  }

  /// Reports an error if the callee must be inlined, but exceeds a limit.
  LogicalResult refuse(Operation *function, CallOp call) {
    const Function &caller = functions[function], &callee = functions[calleeOf(call)];
    if (!callee.isCooperative)
      return success();
    std::string reason;
    if (!callee.isDone) // callees are processed first, so this is recursion
      reason = "it calls itself";
    else if (callee.depth >= maxTogetherDepth)
      reason =
          "its calls are nested " + std::to_string(callee.depth) + " deep, which is the maximum";
    else if (size_t size = caller.size + callee.size; size > maxTogether)
      reason = ("with it '" + nameOf(function) + "' has " + Twine(size) +
                " operations; the maximum is " + Twine(maxTogether))
                   .str();
    else
      return success();
    InFlightDiagnostic error = emitPassDiagnostic(call.getLoc(), PassDiagnostic::InlineTooLarge);
    error << "'" << writtenCallee(call)
          << "' must be inlined, because its work-items cooperate, but " << reason;
    if (isRoot(function))
      return failure();
    std::string chain;
    for (Operation *at = function; at; at = functions[at].reachedFrom)
      chain = chain.empty() ? nameOf(at).str()
                            : (nameOf(at) + " -> " + (chain.size() < 200 ? chain : "...")).str();
    error.attachNote(function->getLoc()) << "call chain: " << chain;
    return failure();
  }

  static StringRef nameOf(Operation *function) {
    return writtenName(cast<FunctionOpInterface>(function));
  }

  LogicalResult inlineInto(Operation *function, InlinerInterface &interface) {
    Function &caller = functions[function];
    InlinerConfig config;
    for (CallOp call : caller.calls) {
      Operation *target = calleeOf(call);
      const Function &callee = functions[target];
      if (failed(refuse(function, call)))
        return failure();
      // The last call moves the body of the function instead of copying it.
      const bool isLast = callee.sites == 1 && !isRoot(target);
      if (!fits(caller, target) ||
          failed(inlineCall(interface, config.getCloneCallback(), call,
                            cast<CallableOpInterface>(target), &target->getRegion(0),
                            /*shouldCloneInlinedRegion=*/!isLast))) {
        caller.left.insert(target);
        continue;
      }
      call.erase();
      caller.size += callee.size;
      caller.isCooperative |= callee.isCooperative;
      caller.depth = std::max(caller.depth, callee.depth + 1);
      caller.left.insert(callee.left.begin(), callee.left.end());
    }
    caller.isDone = true;
    return success();
  }

  void eraseUncalled(SymbolTable &symbols) {
    llvm::SmallSetVector<Operation *, 8> called;
    for (auto &[function, entry] : functions)
      if (isRoot(function))
        called.insert(function);
    for (size_t i = 0; i < called.size(); ++i)
      called.insert(functions[called[i]].left.begin(), functions[called[i]].left.end());
    for (auto &[function, entry] : functions)
      if (!called.contains(function))
        symbols.erase(function);
  }

  llvm::MapVector<Operation *, Function> functions; ///< in the order of the module
  DenseMap<StringAttr, Operation *> callees;
};

} // namespace
