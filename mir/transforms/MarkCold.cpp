// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-mark-cold: see GpuPasses.td.
#include "mir/transforms/Passes.h"
#include "mir/transforms/Versions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_MARKCOLD
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace spl::mir;

namespace {

struct MarkColdPass : spl::mir::impl::MarkColdBase<MarkColdPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (isSeldomRun(kernel))
        kernel->setAttr(SplDialect::coldAttr, mlir::UnitAttr::get(&getContext()));
  }
};

} // namespace
