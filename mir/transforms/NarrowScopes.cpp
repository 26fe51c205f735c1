// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-narrow-scopes: see CpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spl::mir {
#define GEN_PASS_DEF_NARROWSCOPES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

struct NarrowScopesPass : spl::mir::impl::NarrowScopesBase<NarrowScopesPass> {
  void runOnOperation() override {
    getOperation()->walk([](AtomicOp atomic) {
      if (isa_and_present<SharedOp, SharedDynOp>(rootOf(atomic.getSlice()).getDefiningOp()))
        atomic.setScope(MemoryScope::Group);
    });
  }
};

} // namespace
