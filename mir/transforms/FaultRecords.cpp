// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-fault-records: see GpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_FAULTRECORDS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

struct FaultRecordsPass : spl::mir::impl::FaultRecordsBase<FaultRecordsPass> {
  using FaultRecordsBase::FaultRecordsBase;

  void runOnOperation() override {
    // The search goes from the functions with checks to their callers. Functions may be recursive.
    llvm::DenseMap<StringRef, SmallVector<Operation *>> callers;
    llvm::SmallSetVector<Operation *, 16> faulting;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      function.walk([&](Operation *op) {
        auto kernel = dyn_cast<KernelOp>(op);
        if (isa<CheckOp>(op) || (kernel && kernel.getSignature().isCooperative))
          faulting.insert(function);
        else if (auto call = dyn_cast<CallOp>(op))
          callers[call.getCallee()].push_back(function);
      });
    for (size_t at = 0; at != faulting.size(); ++at) {
      Operation *function = faulting[at];
      mark(function);
      for (Operation *caller : callers.lookup(SymbolTable::getSymbolName(function)))
        faulting.insert(caller);
    }
  }

private:
  static void mark(Operation *function) {
    function->setAttr(SplDialect::faultRecordAttr, UnitAttr::get(function->getContext()));
    auto kernel = dyn_cast<KernelOp>(function);
    if (!kernel)
      return;
    spl::abi::Signature signature = kernel.getSignature();
    signature.takesFaultRecord = true;
    kernel.setSignatureAttr(SignatureAttr::get(kernel.getContext(), std::move(signature)));
  }
};

} // namespace
