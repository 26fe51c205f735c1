// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Optimizations.h"
#include "codegen/targets/nvptx/LastRounds.h"
#include "codegen/targets/nvptx/LongRounds.h"
#include "codegen/targets/nvptx/NarrowCounters.h"
#include "codegen/targets/nvptx/NarrowIndices.h"
#include "codegen/targets/nvptx/ShortLoops.h"
#include "codegen/targets/nvptx/SmallQuotients.h"
#include "codegen/targets/nvptx/WideProducts.h"
#include "llvm/Passes/PassBuilder.h"

namespace spl::codegen {

void addNvptxOptimizations(llvm::PassBuilder &builder) {
  separateLastRounds(builder);
  unrollShortLoops(builder);
  unrollLongRounds(builder);
  // InstCombine runs afterwards. It moves a product to its only use, which may be in a branch,
  // and simplifies what uses narrow counters.
  builder.registerScalarOptimizerLateEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel level) {
        passes.addPass(WideProductsPass());
        passes.addPass(SmallQuotientsPass());
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(NarrowCountersPass());
      });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase) {
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(NarrowIndicesPass()));
      });
}

} // namespace spl::codegen
