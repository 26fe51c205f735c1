// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of codegen/Pipeline.h from MIR to optimised LLVM IR.
#include "codegen/Diagnostics.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Optimize.h"
#include "codegen/Parallel.h"
#include "codegen/Parts.h"
#include "codegen/Pipeline.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/dialect/Register.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {
namespace {

/// The least size of a part: about the operations of one kernel. Compiling many parts of this size
/// on one thread takes as long as compiling one module.
constexpr size_t leastOperations = 250;

/// Lets several threads use an MLIR context while it exists.
class SharedContext {
public:
  explicit SharedContext(mlir::MLIRContext &context) : context(context) {
    context.enableMultithreading(); // MLIR starts its own threads only for passes
    diagnostics.emplace(&context);
  }
  ~SharedContext() {
    diagnostics.reset(); // reports them
    context.disableMultithreading();
  }
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;

  /// Runs a step of a thread. The diagnostics of all steps are reported in the order of the steps.
  llvm::Error run(size_t step, llvm::function_ref<llvm::Error()> work) {
    diagnostics->setOrderIDForThread(step);
    llvm::Error error = work();
    diagnostics->eraseOrderIDForThread();
    return error;
  }

private:
  mlir::MLIRContext &context;
  std::optional<mlir::ParallelDiagnosticHandler> diagnostics;
};

/// Adds a DISubprogram to each function, which LLVM's locations need.
mlir::LogicalResult addLineInfo(mlir::ModuleOp module, bool hasLineTables) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
      {.emissionKind = hasLineTables ? mlir::LLVM::DIEmissionKind::LineTablesOnly
                                     : mlir::LLVM::DIEmissionKind::DebugDirectivesOnly}));
  return passes.run(module);
}

void registerTranslations(mlir::MLIRContext &context) {
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
}

/// Lowers a part to LLVM IR. The module of the result is null after a diagnostic.
LlvmModule lowerPart(mlir::ModuleOp part, const LlvmBackend &backend,
                     const llvm::TargetMachine &machine, const Options &options) {
  LlvmModule result{std::make_unique<llvm::LLVMContext>(), nullptr};
  if (failed(lowerToLlvmDialect(part, *options.target.target, backend)) ||
      (options.lineInfo && failed(addLineInfo(part, backend.hasLineTables()))))
    return result;
  // Before the translation, because the builder folds offsets in structs.
  part->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                mlir::StringAttr::get(part.getContext(),
                                      machine.createDataLayout().getStringRepresentation()));
  result.module = mlir::translateModuleToLLVMIR(part, *result.context, "spl",
                                                /*disableVerification=*/true);
  if (result.module)
    result.module->setTargetTriple(machine.getTargetTriple());
  return result;
}

/// Finishes and optimises a part, on the thread that calls it.
llvm::Error optimizePart(LlvmModule &part, bool isFirst, const LlvmBackend &backend,
                         llvm::TargetMachine &machine, const Options &options) {
  LlvmErrors errors(*part.context);
  // The target adds attributes and links device libraries.
  if (llvm::Error error = backend.finishModule(*part.module))
    return error;
  optimize(*part.module, machine, backend, options);
  backend.finishOptimized(*part.module);
  if (isFirst)
    backend.finishFirst(*part.module);
  return errors.result();
}

llvm::SmallVector<char, 0> bytecodeOf(mlir::ModuleOp module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  (void)mlir::writeBytecodeToFile(module, stream); // fails only for another version of bytecode
  return bytes;
}

/// A part, from MIR to optimised LLVM IR, on the thread that calls it. The error of a diagnostic is
/// a text that names the phase.
llvm::Expected<LlvmModule> lowerAndOptimize(mlir::OwningOpRef<mlir::ModuleOp> part, bool isFirst,
                                            const LlvmBackend &backend, const Options &options) {
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(backend.machine());
  if (!machine)
    return machine.takeError();
  LlvmModule module = lowerPart(*part, backend, **machine, options);
  part = nullptr; // to have less in memory
  if (!module.module)
    return llvm::createStringError("lowering failed and did not say why");
  if (llvm::Error error = optimizePart(module, isFirst, backend, **machine, options))
    return std::move(error);
  return module;
}

llvm::Expected<std::vector<LlvmModule>> lower(mlir::ModuleOp module, const Options &options,
                                              size_t partOperations,
                                              std::vector<LaterPart> *later) {
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  mlir::MLIRContext &context = *module.getContext();
  MlirErrors errors(&context);
  if (llvm::Error error =
          errors.result(prepareModule(module, *options.target.target, *backend), "lowering"))
    return std::move(error);
  registerTranslations(context);
  std::vector<Part> split = splitModule(module, partOperations, later != nullptr);
  const auto first = llvm::find_if(split, [](const Part &part) { return part.later.empty(); });
  std::vector<LlvmModule> modules(split.size());
  std::vector<llvm::SmallVector<char, 0>> bytecodes(split.size());
  const auto compile = [&](size_t number) -> llvm::Error {
    Part &part = split[number];
    if (!part.later.empty()) {
      bytecodes[number] = bytecodeOf(*part.module);
      return llvm::Error::success();
    }
    llvm::Expected<LlvmModule> lowered =
        lowerAndOptimize(std::move(part.module), &part == &*first, *backend, options);
    if (lowered)
      modules[number] = std::move(*lowered);
    return lowered.takeError();
  };
  llvm::Error error = [&] {
    SharedContext shared(context);
    return forEachInParallel(split.size(), [&](size_t number) {
      return shared.run(number, [&] { return compile(number); });
    });
  }();
  if (error)
    return errors.insteadOf(std::move(error));
  std::vector<LlvmModule> parts;
  for (auto [number, part] : llvm::enumerate(split))
    if (part.later.empty())
      parts.push_back(std::move(modules[number]));
    else
      later->push_back({part.later, std::move(bytecodes[number])});
  return parts;
}

} // namespace

llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options) {
  llvm::Expected<std::vector<LlvmModule>> parts = lower(module, options, SIZE_MAX, nullptr);
  if (!parts)
    return parts.takeError();
  return std::move(parts->front());
}

llvm::Expected<std::vector<LlvmModule>>
lowerToLlvmParts(mlir::ModuleOp module, const Options &options, std::vector<LaterPart> *later) {
  // LLVM numbers the files of line information in each part, and its report of times is one for
  // each part.
  const bool isOne = options.lineInfo || options.timePasses;
  return lower(module, options, isOne ? SIZE_MAX : leastOperations, isOne ? nullptr : later);
}

llvm::Expected<LlvmModule> lowerLater(llvm::StringRef mir, const Options &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mir::loadDialects(context);
  loadLoweringDialects(context);
  registerTranslations(context);
  MlirErrors errors(&context);
  mlir::OwningOpRef<mlir::ModuleOp> part = mlir::parseSourceString<mlir::ModuleOp>(
      mir, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!part)
    return errors.result(mlir::failure(), "reading MIR");
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  LlvmModule result;
  // One step, so that a crash becomes an error as in lower().
  llvm::Error error = forEachInParallel(1, [&](size_t) -> llvm::Error {
    llvm::Expected<LlvmModule> lowered =
        lowerAndOptimize(std::move(part), /*isFirst=*/false, *backend, options);
    if (lowered)
      result = std::move(*lowered);
    return lowered.takeError();
  });
  if (error)
    return errors.insteadOf(std::move(error));
  return result;
}

} // namespace spl::codegen
