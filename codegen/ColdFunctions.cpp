// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ColdFunctions.h"
#include "codegen/Analyses.h"
#include "codegen/LlvmBackend.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace spl::codegen {

bool isCold(const Function &function) { return function.hasFnAttribute(coldFunctionAttr); }

bool hasOnlyColdFunctions(const Module &module) {
  return all_of(module, [](const Function &function) {
    return function.isDeclaration() || isCold(function);
  });
}

void skipColdFunctions(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([](StringRef, const Any &code) {
    if (const auto *function = any_cast<const Function *>(&code))
      return !isCold(**function);
    if (const auto *loop = any_cast<const Loop *>(&code))
      return !isCold(*(*loop)->getHeader()->getParent());
    return true; // passes on modules and call graphs
  });
}

static FunctionPassManager passesOfCold() {
  FunctionPassManager passes;
  passes.addPass(SCCPPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  LoopPassManager invariant;
  invariant.addPass(LoopRotatePass());
  invariant.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(invariant), /*UseMemorySSA=*/true));
  // Local arrays are in registers if the loops over their elements are unrolled.
  passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass()));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InferAddressSpacesPass());
  return passes;
}

void optimizeColdFunctions(Module &module, PassBuilder &builder, const LlvmBackend &backend) {
  if (none_of(module, isCold))
    return;
  Analyses analyses(builder);
  FunctionPassManager passes = passesOfCold();
  backend.addColdPasses(builder, passes);
  for (Function &function : module)
    if (isCold(function))
      passes.run(function, analyses.functions);
}

void markColdFunctions(Module &module) {
  for (Function &function : module)
    if (isCold(function)) {
      function.addFnAttr(Attribute::NoInline); // which optnone requires
      function.addFnAttr(Attribute::OptimizeNone);
    }
}

} // namespace spl::codegen
