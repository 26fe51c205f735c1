// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of codegen/Pipeline.h from MIR to optimised LLVM IR, and to code in parts.
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

/// A module that is lowered in parts. Lives for one compilation.
class PartsLowering {
public:
  PartsLowering(mlir::ModuleOp module, const Options &options)
      : module(module), options(options), ownBackend(options.target->llvmBackend(options)),
        errors(module.getContext()) {
    registerTranslations(*module.getContext());
  }

  const LlvmBackend &backend() const { return *ownBackend; }

  /// Splits a whole module, as splitModule does.
  llvm::Error split(size_t operations, bool hasLater) {
    if (llvm::Error error =
            errors.result(prepareModule(module, *options.target.target, *ownBackend), "lowering"))
      return error;
    parts = splitModule(module, operations, hasLater);
    for (const Part &part : parts)
      numbers.push_back(part.later.empty() ? lowered++ : SIZE_MAX);
    bytecodes.resize(parts.size());
    return llvm::Error::success();
  }
  /// The number of parts that are lowered now.
  size_t count() const { return lowered; }

  using Consume = llvm::function_ref<llvm::Error(LlvmModule part, size_t number)>;
  /// Lowers the parts on several threads. Each calls \p consume for its parts when they are
  /// optimised, with their numbers below count().
  llvm::Error run(Consume consume) {
    llvm::Error error = [&] {
      SharedContext shared(*module.getContext());
      return forEachInParallel(parts.size(), [&](size_t index) {
        return shared.run(index, [&] { return runPart(index, consume); });
      });
    }();
    return error ? errors.insteadOf(std::move(error)) : llvm::Error::success();
  }

  /// The parts that are compiled later, after run().
  std::vector<LaterPart> takeLater() {
    std::vector<LaterPart> later;
    for (auto [part, bytecode] : llvm::zip_equal(parts, bytecodes))
      if (!part.later.empty())
        later.push_back({part.later, std::move(bytecode)});
    return later;
  }

  /// Lowers one part that was kept for later.
  llvm::Error runLater(mlir::OwningOpRef<mlir::ModuleOp> part, Consume consume) {
    // One step, so that a crash becomes an error as in run().
    llvm::Error error = forEachInParallel(
        1, [&](size_t) { return lowerAndConsume(std::move(part), SIZE_MAX, consume); });
    return error ? errors.insteadOf(std::move(error)) : llvm::Error::success();
  }

private:
  llvm::Error runPart(size_t index, Consume consume) {
    mlir::OwningOpRef<mlir::ModuleOp> part = std::move(parts[index].module);
    if (numbers[index] != SIZE_MAX)
      return lowerAndConsume(std::move(part), numbers[index], consume);
    bytecodes[index] = bytecodeOf(*part);
    return llvm::Error::success();
  }

  /// The error after a diagnostic is a text that names the phase.
  llvm::Error lowerAndConsume(mlir::OwningOpRef<mlir::ModuleOp> part, size_t number,
                              Consume consume) {
    llvm::Expected<llvm::TargetMachine *> machine = machineFor(backend().machine());
    if (!machine)
      return machine.takeError();
    LlvmModule result = lowerPart(*part, backend(), **machine, options);
    part = nullptr; // to have less in memory
    if (!result.module)
      return llvm::createStringError("lowering failed and did not say why");
    if (llvm::Error error =
            optimizePart(result, /*isFirst=*/number == 0, backend(), **machine, options))
      return error;
    return consume(std::move(result), number);
  }

  mlir::ModuleOp module;
  const Options &options;
  std::unique_ptr<LlvmBackend> ownBackend;
  MlirErrors errors;
  std::vector<Part> parts;
  std::vector<size_t> numbers; ///< of each part: its number among those that are lowered now
  std::vector<llvm::SmallVector<char, 0>> bytecodes; ///< of those that are compiled later
  size_t lowered = 0;
};

} // namespace

llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options) {
  PartsLowering parts(module, options);
  if (llvm::Error error = parts.split(SIZE_MAX, /*hasLater=*/false))
    return std::move(error);
  LlvmModule result;
  llvm::Error error = parts.run([&](LlvmModule part, size_t) {
    result = std::move(part);
    return llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return result;
}

llvm::Expected<std::vector<llvm::SmallVector<char, 0>>>
compileParts(mlir::ModuleOp module, const Options &options, CodeForm form, FinishPart finish,
             std::vector<LaterPart> *later) {
  // LLVM numbers the files of line information in each part, and its report of times is one for
  // each part.
  const bool isOne = options.lineInfo || options.timePasses;
  PartsLowering parts(module, options);
  if (llvm::Error error = parts.split(isOne ? SIZE_MAX : leastOperations, later && !isOne))
    return std::move(error);
  std::vector<llvm::SmallVector<char, 0>> codes(parts.count());
  llvm::Error error = parts.run([&](LlvmModule part, size_t number) {
    finish(*part.module, number, parts.count());
    return writeMachineCode(part, parts.backend(), form).moveInto(codes[number]);
  });
  if (error)
    return std::move(error);
  if (later)
    *later = parts.takeLater();
  return codes;
}

llvm::Expected<llvm::SmallVector<char, 0>> compileLater(llvm::StringRef mir, const Options &options,
                                                        CodeForm form, FinishPart finish) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mir::loadDialects(context);
  loadLoweringDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> part;
  {
    MlirErrors errors(&context);
    part = mlir::parseSourceString<mlir::ModuleOp>(
        mir, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
    if (!part)
      return errors.result(mlir::failure(), "reading MIR");
  }
  PartsLowering parts(*part, options);
  llvm::SmallVector<char, 0> code;
  llvm::Error error = parts.runLater(std::move(part), [&](LlvmModule lowered, size_t) {
    finish(*lowered.module, /*number=*/0, /*count=*/1);
    return writeMachineCode(lowered, parts.backend(), form).moveInto(code);
  });
  if (error)
    return std::move(error);
  return code;
}

} // namespace spl::codegen
