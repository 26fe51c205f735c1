// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of codegen/Pipeline.h after the passes of MIR: lowering, LLVM's optimisations and code,
// each part of a module on one thread.
#include "codegen/Diagnostics.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Optimize.h"
#include "codegen/Parallel.h"
#include "codegen/Parts.h"
#include "codegen/Pipeline.h"
#include "codegen/SharedContext.h"
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

using Consume = llvm::function_ref<llvm::Error(LlvmModule part)>;

/// Lowers and optimises a part, on the thread that calls it, and passes it on. \p isFirst says
/// whether it gets what the code contains once.
llvm::Error compilePart(mlir::OwningOpRef<mlir::ModuleOp> part, bool isFirst,
                        const LlvmBackend &backend, const Options &options, Consume consume) {
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(backend.machine());
  if (!machine)
    return machine.takeError();
  LlvmModule result = lowerPart(*part, backend, **machine, options);
  part = nullptr; // to have less in memory
  if (!result.module)
    return llvm::make_error<Reported>("lowering");
  if (llvm::Error error = optimizePart(result, isFirst, backend, **machine, options))
    return error;
  return consume(std::move(result));
}

llvm::Expected<llvm::SmallVector<char, 0>> bytecodeOf(mlir::ModuleOp module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (failed(mlir::writeBytecodeToFile(module, stream)))
    return llvm::make_error<Reported>("writing MIR");
  return bytes;
}

/// A module that is compiled in parts. Lives for one compilation.
class PartsCompilation {
public:
  /// Prepares and splits the module, as splitModule does.
  static llvm::Expected<std::unique_ptr<PartsCompilation>>
  split(mlir::ModuleOp module, const Options &options, size_t operations, SeldomRun seldomRun) {
    std::unique_ptr<PartsCompilation> result(new PartsCompilation(*module.getContext(), options));
    result->keepsMir = seldomRun == SeldomRun::Later;
    if (llvm::Error error = result->errors.result(
            prepareModule(module, *options.target.target, *result->ownBackend), "lowering"))
      return std::move(error);
    std::vector<Part> split = splitModule(module, operations, seldomRun != SeldomRun::WithOthers);
    std::vector<Part> parts; // those that are compiled later come last
    for (bool isLater : {false, true})
      for (Part &part : split)
        if (part.later.empty() != isLater)
          parts.push_back(std::move(part));
    result->order = largestFirst(parts);
    result->codes.resize(parts.size());
    for (size_t number = 0; number != parts.size(); ++number) {
      result->codes[number].later = parts[number].later;
      result->compiled += !result->isKept(number);
    }
    result->parts = std::move(parts);
    return result;
  }

  const LlvmBackend &backend() const { return *ownBackend; }
  /// The number of parts that are compiled. They are the first ones.
  size_t count() const { return compiled; }

  /// Sets the code of a part with this number.
  using Generate = llvm::function_ref<llvm::Error(LlvmModule part, size_t number,
                                                  llvm::SmallVector<char, 0> &code)>;
  /// Compiles the parts on several threads. Each calls \p generate for its parts when they are
  /// optimised.
  llvm::Error run(Generate generate) {
    llvm::Error error = [&] {
      SharedContext shared(context);
      return forEachInParallel(parts.size(), [&](size_t place) {
        const size_t number = order[place];
        return shared.run(number, [&] { return runStep(number, generate); });
      });
    }();
    return error ? errors.joinedWith(std::move(error)) : llvm::Error::success();
  }

  /// The code of the parts, after run().
  std::vector<PartCode> takeCodes() { return std::move(codes); }

private:
  PartsCompilation(mlir::MLIRContext &context, const Options &options)
      : context(context), options(options), ownBackend(options.target->llvmBackend(options)),
        errors(&context) {
    registerTranslations(context);
  }

  /// Whether the code of a part is its MIR.
  bool isKept(size_t number) const { return keepsMir && !codes[number].later.empty(); }

  llvm::Error runStep(size_t number, Generate generate) {
    mlir::OwningOpRef<mlir::ModuleOp> module = std::move(parts[number].module);
    llvm::SmallVector<char, 0> &code = codes[number].code;
    if (isKept(number))
      return bytecodeOf(*module).moveInto(code);
    return compilePart(std::move(module), /*isFirst=*/number == 0, backend(), options,
                       [&](LlvmModule part) { return generate(std::move(part), number, code); });
  }

  mlir::MLIRContext &context;
  const Options &options;
  std::unique_ptr<LlvmBackend> ownBackend;
  MlirErrors errors;
  bool keepsMir = false; ///< of parts with Part::later
  std::vector<Part> parts;
  std::vector<PartCode> codes; ///< by the number of a part
  std::vector<size_t> order;   ///< in which threads begin the parts
  size_t compiled = 0;
};

} // namespace

llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options) {
  llvm::Expected<std::unique_ptr<PartsCompilation>> compilation =
      PartsCompilation::split(module, options, SIZE_MAX, SeldomRun::WithOthers);
  if (!compilation)
    return compilation.takeError();
  LlvmModule result;
  llvm::Error error = (*compilation)->run([&](LlvmModule part, size_t, auto &) {
    result = std::move(part);
    return llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return result;
}

llvm::Expected<std::vector<PartCode>> compileParts(mlir::ModuleOp module, const Options &options,
                                                   CodeForm form, FinishPart finish,
                                                   SeldomRun seldomRun) {
  // LLVM numbers the files of line information in each part, and its report of times is one for
  // each part.
  const bool isOne = options.lineInfo || options.timePasses;
  llvm::Expected<std::unique_ptr<PartsCompilation>> compilation = PartsCompilation::split(
      module, options, isOne ? SIZE_MAX : leastPart, isOne ? SeldomRun::WithOthers : seldomRun);
  if (!compilation)
    return compilation.takeError();
  const size_t count = (*compilation)->count();
  llvm::Error error = (*compilation)->run([&](LlvmModule part, size_t number, auto &code) {
    if (finish)
      finish(*part.module, number, count);
    return writeMachineCode(part, (*compilation)->backend(), form).moveInto(code);
  });
  if (error)
    return std::move(error);
  return (*compilation)->takeCodes();
}

llvm::Expected<llvm::SmallVector<char, 0>>
compileLater(llvm::StringRef mir, const Options &options, CodeForm form,
             llvm::function_ref<void(llvm::Module &)> finish) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mir::loadDialects(context);
  loadLoweringDialects(context);
  registerTranslations(context);
  MlirErrors errors(&context);
  const std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  llvm::SmallVector<char, 0> code;
  const auto consume = [&](LlvmModule part) {
    if (finish)
      finish(*part.module);
    return writeMachineCode(part, *backend, form).moveInto(code);
  };
  // One step, so that a crash becomes an error as in compileParts.
  llvm::Error error = forEachInParallel(1, [&](size_t) -> llvm::Error {
    auto part = mlir::parseSourceString<mlir::ModuleOp>(
        mir, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
    if (!part)
      return llvm::make_error<Reported>("reading MIR");
    return compilePart(std::move(part), /*isFirst=*/false, *backend, options, consume);
  });
  if (error)
    return errors.joinedWith(std::move(error));
  return code;
}

} // namespace spl::codegen
