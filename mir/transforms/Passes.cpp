// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

namespace spl::mir {

#define GEN_PASS_REGISTRATION
#include "mir/transforms/Passes.h.inc"

void registerPasses() { registerSplPasses(); }

} // namespace spl::mir
