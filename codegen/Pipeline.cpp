// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Diagnostics.h"
#include "codegen/Optimize.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

void buildMirPipeline(mlir::OpPassManager &passes, const Options &options) {
  // Checks first: the name that a fault shows is then the one that the faulting line uses.
  passes.addPass(mir::createSelectChecks({.kinds = options.checks}));
  passes.addPass(mir::createInlineCalls());
  // Behind inlining, which shows each call of a function with its own control flow around it.
  passes.addPass(mir::createCheckBarriers());
  // Ids and sizes in terms of what the target has.
  passes.addPass(mir::createExpandIntrinsics(
      {.target = options.target.isCpu() ? mir::Target::Cpu : mir::Target::Nvptx}));
  Target::create(options)->addMirPasses(passes);
}

llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false); // each pass is verified by its tests
  buildMirPipeline(passes, options);
  MlirErrors errors(module.getContext());
  return errors.result(passes.run(module), "a pass over MIR");
}

static llvm::Expected<LlvmModule> translate(mlir::ModuleOp module) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  LlvmModule result{std::make_unique<llvm::LLVMContext>(), nullptr};
  MlirErrors errors(module.getContext());
  result.module = mlir::translateModuleToLLVMIR(module, *result.context, "spl",
                                                /*disableVerification=*/true);
  if (llvm::Error error = errors.result(mlir::success(result.module != nullptr), "translation"))
    return std::move(error);
  return result;
}

llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options) {
  std::unique_ptr<Target> target = Target::create(options);
  llvm::Expected<llvm::TargetMachine *> machine = target->machine();
  if (!machine)
    return machine.takeError();

  // MIR to the LLVM dialect, and that to LLVM IR.
  loadLoweringDialects(module);
  {
    MlirErrors errors(module.getContext());
    if (llvm::Error error = errors.result(lowerToLlvmDialect(module, *target), "lowering"))
      return std::move(error);
  }
  llvm::Expected<LlvmModule> result = translate(module);
  if (!result)
    return result;

  // What only the target knows: attributes, the device math library.
  result->module->setTargetTriple((*machine)->getTargetTriple());
  result->module->setDataLayout((*machine)->createDataLayout());
  LlvmErrors errors(*result->context);
  if (llvm::Error error = target->finishModule(*result->module))
    return std::move(error);

  optimize(*result->module, **machine, options);
  if (llvm::Error error = errors.result())
    return std::move(error);
  return result;
}

} // namespace spl::codegen
