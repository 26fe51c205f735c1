// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-interruptible-loops: see Passes.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_INTERRUPTIBLELOOPS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

struct InterruptibleLoopsPass : spl::mir::impl::InterruptibleLoopsBase<InterruptibleLoopsPass> {
  using InterruptibleLoopsBase::InterruptibleLoopsBase;

  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        test(*loop.getBody(), loop.getLoc());
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        test(*loop.getBeforeBody(), loop.getLoc());
      else if (auto kernel = dyn_cast<KernelOp>(op))
        test(kernel.getBody().front(), kernel.getLoc());
    });
  }

private:
  static void test(Block &start, Location loc) {
    OpBuilder builder = OpBuilder::atBlockBegin(&start);
    Value mayRun = MayRunOp::create(builder, loc, builder.getI1Type());
    CheckOp::create(builder, loc, mayRun, FaultKind::TimeLimit, ValueRange());
  }
};

} // namespace
