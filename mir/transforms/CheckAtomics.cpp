// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-check-atomics: see Passes.td. The parameters that functions use in atomics are followed
// backwards through the calls, from each callee to its callers.
#include "mir/dialect/Report.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_CHECKATOMICS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// A use of memory by an atomic, or by a call of a function that may have one.
struct Use {
  Value memory; ///< a parameter, or the result of spl.local
  Operation *op;
};

struct CheckAtomicsPass : spl::mir::impl::CheckAtomicsBase<CheckAtomicsPass> {
  void runOnOperation() override {
    llvm::MapVector<Value, SmallVector<Use>> passed; ///< the arguments of each parameter
    SmallVector<Use> found; ///< uses by atomics, and by calls that reach one
    SymbolTable symbols(getOperation());
    auto add = [&](Value memory) {
      for (Value view : viewsOf(memory))
        for (OpOperand &use : view.getUses()) {
          if (isa<AtomicOp>(use.getOwner()))
            found.push_back({memory, use.getOwner()});
          if (auto call = dyn_cast<CallOp>(use.getOwner()))
            passed[symbols.lookup<FuncOp>(call.getCallee()).getArgument(use.getOperandNumber())]
                .push_back({memory, call});
        }
    };
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      for (Value parameter : function.getArguments())
        if (isa<SliceType>(parameter.getType()))
          add(parameter);
      function.getFunctionBody().walk([&](LocalOp local) { add(local); });
    }
    llvm::DenseSet<Value> parameters; // that reach an atomic
    for (size_t i = 0; i != found.size(); ++i) {
      const Use use = found[i];
      if (isa<BlockArgument>(use.memory)) {
        if (parameters.insert(use.memory).second)
          found.append(passed.lookup(use.memory));
        continue;
      }
      report(use.op);
      signalPassFailure();
    }
  }

private:
  static void report(Operation *op) {
    InFlightDiagnostic error = emitPassDiagnostic(op->getLoc(), PassDiagnostic::LocalAtomic);
    if (auto call = dyn_cast<CallOp>(op))
      error << "'" << writtenCallee(call) << "' has an atomic on local memory";
    else
      error << "this atomic is on local memory";
    error << "; atomics need memory of a slice parameter of the kernel, or shared memory";
  }
};

} // namespace
