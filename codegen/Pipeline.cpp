// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Diagnostics.h"
#include "codegen/Optimize.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

void buildMirPipeline(mlir::OpPassManager &passes, const Options &options) {
  // Checks first: the name that a fault shows is then the one that the faulting line uses.
  passes.addPass(mir::createSelectChecks({.kinds = options.checks.str()}));
  passes.addPass(mir::createInlineCalls());
  // Behind inlining, which shows each call of a function with its own control flow around it.
  passes.addPass(mir::createCheckBarriers());
  passes.addPass(mir::createCheckWaits());
  // While ids and sizes are what the source calls them.
  passes.addPass(mir::createLaunchContracts({.maxConditions = options.contracts ? 32u : 0u}));
  // While the loops are those of the source.
  if (options.interruptible && options.target.isCpu())
    passes.addPass(mir::createInterruptibleLoops());
  // Ids and sizes in terms of what the target has.
  passes.addPass(mir::createExpandIntrinsics(
      {.target = options.target.isCpu() ? mir::Target::Cpu : mir::Target::Nvptx}));
  Target::create(options)->addMirPasses(passes);
}

/// The names of the passes in "builtin.module(spl-a{option=b},spl.kernel(cse))".
static llvm::StringSet<> passNames(const mlir::OpPassManager &passes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  llvm::StringSet<> names;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    part = part.split('{').first;
    part = part.substr(part.rfind('(') + 1).rtrim(')').trim();
    if (!part.contains('=') && !part.contains('}'))
      names.insert(part);
  }
  return names;
}

static llvm::Error printAfter(mlir::PassManager &passes, const std::string &name) {
  llvm::StringSet<> names = passNames(passes);
  if (!names.contains(name)) {
    llvm::SmallVector<llvm::StringRef> known(names.keys());
    llvm::sort(known);
    return userError(mir::PassDiagnostic::UnknownPass,
                     "there is no pass '" + name +
                         "' for this target; there are: " + llvm::join(known, ", "));
  }
  auto never = [](mlir::Pass *, mlir::Operation *) { return false; };
  auto isNamed = [name](mlir::Pass *pass, mlir::Operation *) {
    return pass->getArgument() == name;
  };
  passes.enableIRPrinting(never, isNamed, /*printModuleScope=*/true,
                          /*printAfterOnlyOnChange=*/false);
  return llvm::Error::success();
}

llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options,
                           std::vector<SourceError> &warnings) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false); // each pass is verified by its tests
  buildMirPipeline(passes, options);
  if (!options.printAfter.empty())
    if (llvm::Error error = printAfter(passes, options.printAfter))
      return error;
  if (options.timePasses)
    passes.enableTiming();
  MlirErrors errors(module.getContext());
  llvm::Error result = errors.result(passes.run(module), "a pass over MIR");
  warnings = errors.takeWarnings();
  return result;
}

/// The layout is wanted from the start: offsets in structs are folded as code is built.
static llvm::Expected<LlvmModule> translate(mlir::ModuleOp module,
                                            const llvm::DataLayout &dataLayout) {
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), dataLayout.getStringRepresentation()));
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

/// Gives each function the scope that LLVM's locations are in. PTX has directives for lines that
/// need no tables beside them.
static mlir::LogicalResult addLineInfo(mlir::ModuleOp module, const Options &options) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
      {.emissionKind = options.target.isNvptx() ? mlir::LLVM::DIEmissionKind::DebugDirectivesOnly
                                                : mlir::LLVM::DIEmissionKind::LineTablesOnly}));
  return passes.run(module);
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
    if (options.lineInfo)
      if (llvm::Error error = errors.result(addLineInfo(module, options), "line information"))
        return std::move(error);
  }
  llvm::Expected<LlvmModule> result = translate(module, (*machine)->createDataLayout());
  if (!result)
    return result;

  // What only the target knows: attributes, the device math library.
  result->module->setTargetTriple((*machine)->getTargetTriple());
  LlvmErrors errors(*result->context);
  if (llvm::Error error = target->finishModule(*result->module))
    return std::move(error);

  optimize(*result->module, **machine, options);
  if (llvm::Error error = errors.result())
    return std::move(error);
  return result;
}

} // namespace spl::codegen
