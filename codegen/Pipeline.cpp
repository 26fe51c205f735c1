// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Diagnostics.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Optimize.h"
#include "codegen/Parallel.h"
#include "codegen/Parts.h"
#include "codegen/lower/LowerToLlvm.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckReport.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

void buildMirPipeline(mlir::OpPassManager &passes, const Options &options, const Output &output,
                      bool reportsChecks) {
  // Before inlining: the message of a fault then contains the name that the source line uses.
  passes.addPass(mir::createSelectChecks({.kinds = options.checks.str()}));
  passes.addPass(mir::createCheckAtomics());
  passes.addPass(mir::createInlineCalls());
  // After inlining: each call of a function is then within the control flow of its caller.
  passes.addPass(mir::createCheckBarriers());
  passes.addPass(mir::createCheckWaits());
  // Before spl-expand-intrinsics, because these passes need the ids and sizes of the source.
  passes.addPass(mir::createLaunchContracts({.maxConditions = options.contracts ? 32u : 0u,
                                             .maxGroups = options.target->contractGroups(output),
                                             .report = reportsChecks,
                                             .keepUnused = options.instrument}));
  // The loops are still those of the source.
  options.target->addSourcePasses(passes, options);
  // Replaces ids, sizes and functions that the target does not have.
  passes.addPass(mir::createExpandIntrinsics(expansionFor(*options.target.target)));
  options.target->addFinalPasses(passes, options);
}

mir::ExpandIntrinsicsOptions expansionFor(const Target &target) {
  using Kind = IntrinsicLowering::Kind;
  mir::ExpandIntrinsicsOptions expansion;
  for (const intrinsics::Row &row : intrinsics::all()) {
    const Kind kind = target.lowering(row.id).kind;
    if (kind == Kind::Expand)
      expansion.rows.push_back(row.name.str());
    else if (kind == Kind::Approximate)
      expansion.f64Rows.push_back(row.name.str());
  }
  expansion.workItemsAreLoops = !target.hasWorkItems();
  return expansion;
}

/// The names of the passes in "builtin.module(spl-a{option=b},spl.kernel(cse))".
static llvm::StringSet<> passNames(const mlir::OpPassManager &passes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  std::string withoutOptions;
  unsigned depth = 0;
  for (char c : text) {
    depth += c == '{';
    if (depth == 0)
      withoutOptions += c;
    depth -= c == '}';
  }
  llvm::StringSet<> names;
  for (llvm::StringRef part : llvm::split(withoutOptions, ','))
    names.insert(part.substr(part.rfind('(') + 1).rtrim(')').trim());
  return names;
}

static llvm::Error printAfter(mlir::PassManager &passes, const std::string &name) {
  llvm::StringSet<> names = passNames(passes);
  if (!names.contains(name)) {
    llvm::SmallVector<llvm::StringRef> known(names.keys());
    llvm::sort(known);
    return userError(mir::PassDiagnostic::UnknownPass,
                     "unknown pass '" + name +
                         "' for this target; the passes are: " + llvm::join(known, ", "));
  }
  auto never = [](mlir::Pass *, mlir::Operation *) { return false; };
  auto isNamed = [name](mlir::Pass *pass, mlir::Operation *) {
    return pass->getArgument() == name;
  };
  passes.enableIRPrinting(never, isNamed, /*printModuleScope=*/true,
                          /*printAfterOnlyOnChange=*/false);
  return llvm::Error::success();
}

llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options, const Output &output,
                           std::vector<SourceError> &warnings,
                           std::vector<abi::CheckReport> *checks) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false); // each pass is verified by its tests
  buildMirPipeline(passes, options, output, /*reportsChecks=*/checks != nullptr);
  if (!options.printAfter.empty())
    if (llvm::Error error = printAfter(passes, options.printAfter))
      return error;
  if (options.timePasses)
    passes.enableTiming();
  MlirErrors errors(module.getContext());
  llvm::Error result = errors.result(passes.run(module), "a pass over MIR");
  warnings = errors.takeWarnings();
  if (checks)
    *checks = mir::takeCheckReports(module);
  return result;
}

/// The least size of a part: about the operations of one kernel. Compiling many parts of this size
/// on one thread takes as long as compiling one module.
constexpr size_t leastOperations = 500;

/// Translates the LLVM dialect to LLVM IR. The data layout is set before that, because the builder
/// folds offsets in structs. Several threads may translate modules of one context, if its
/// multithreading is on.
static llvm::Expected<LlvmModule> translate(mlir::ModuleOp module,
                                            const llvm::DataLayout &dataLayout) {
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module.getContext(), dataLayout.getStringRepresentation()));
  LlvmModule result{std::make_unique<llvm::LLVMContext>(), nullptr};
  result.module = mlir::translateModuleToLLVMIR(module, *result.context, "spl",
                                                /*disableVerification=*/true);
  if (!result.module)
    return llvm::createStringError("the translation to LLVM IR failed");
  return result;
}

namespace {

/// Lets several threads use an MLIR context while it exists.
class SharedContext {
public:
  explicit SharedContext(mlir::MLIRContext &context) : context(context) {
    context.enableMultithreading(); // MLIR starts its own threads only for passes
  }
  ~SharedContext() { context.disableMultithreading(); }
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;

private:
  mlir::MLIRContext &context;
};

} // namespace

/// Adds a DISubprogram to each function, which LLVM's locations need.
static mlir::LogicalResult addLineInfo(mlir::ModuleOp module, bool hasLineTables) {
  mlir::PassManager passes(module.getContext(), mlir::ModuleOp::getOperationName());
  passes.enableVerifier(false);
  passes.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(
      {.emissionKind = hasLineTables ? mlir::LLVM::DIEmissionKind::LineTablesOnly
                                     : mlir::LLVM::DIEmissionKind::DebugDirectivesOnly}));
  return passes.run(module);
}

/// Lowers MIR to the LLVM dialect.
static llvm::Error lowerToDialect(mlir::ModuleOp module, LlvmBackend &backend,
                                  const Options &options) {
  loadLoweringDialects(module);
  MlirErrors errors(module.getContext());
  if (llvm::Error error =
          errors.result(lowerToLlvmDialect(module, *options.target.target, backend), "lowering"))
    return error;
  if (!options.lineInfo)
    return llvm::Error::success();
  return errors.result(addLineInfo(module, backend.hasLineTables()), "line information");
}

/// Finishes and optimises a part, on the thread that calls it.
static llvm::Error optimizePart(LlvmModule &part, bool isFirst, const LlvmBackend &backend,
                                const Options &options) {
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(backend.machine());
  if (!machine)
    return machine.takeError();
  part.module->setTargetTriple((*machine)->getTargetTriple());
  LlvmErrors errors(*part.context);
  // The target adds attributes and links device libraries.
  if (llvm::Error error = backend.finishModule(*part.module))
    return error;
  optimize(*part.module, **machine, backend, options);
  backend.finishOptimized(*part.module);
  if (isFirst)
    backend.finishFirst(*part.module);
  return errors.result();
}

static llvm::SmallVector<char, 0> bitcodeOf(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

static llvm::Expected<std::vector<LlvmModule>> lower(mlir::ModuleOp module, const Options &options,
                                                     size_t partOperations,
                                                     std::vector<LaterPart> *later) {
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(backend->machine());
  if (!machine)
    return machine.takeError();
  if (llvm::Error error = lowerToDialect(module, *backend, options))
    return std::move(error);
  mlir::MLIRContext &context = *module.getContext();
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
  std::vector<Part> split = splitModule(module, partOperations, later != nullptr);
  const auto first = llvm::find_if(split, [](const Part &part) { return part.later.empty(); });
  std::vector<LlvmModule> modules(split.size());
  std::vector<llvm::SmallVector<char, 0>> bitcodes(split.size());
  const auto compile = [&](size_t number) -> llvm::Error {
    Part &part = split[number];
    llvm::Expected<LlvmModule> translated = translate(*part.module, (*machine)->createDataLayout());
    part.module = nullptr; // to have less in memory
    if (!translated)
      return translated.takeError();
    if (!part.later.empty()) {
      bitcodes[number] = bitcodeOf(*translated->module);
      return llvm::Error::success();
    }
    modules[number] = std::move(*translated);
    return optimizePart(modules[number], &part == &*first, *backend, options);
  };
  MlirErrors errors(&context);
  {
    const SharedContext shared(context);
    if (llvm::Error error = forEachInParallel(split.size(), compile)) {
      if (errors.isEmpty())
        return std::move(error);
      llvm::consumeError(std::move(error)); // MLIR has said more
      return errors.result(mlir::failure(), "translation");
    }
  }
  std::vector<LlvmModule> parts;
  for (auto [number, part] : llvm::enumerate(split))
    if (part.later.empty())
      parts.push_back(std::move(modules[number]));
    else
      later->push_back({part.later, std::move(bitcodes[number])});
  return parts;
}

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

llvm::Expected<LlvmModule> optimizeLater(llvm::StringRef bitcode, const Options &options) {
  LlvmModule part{std::make_unique<llvm::LLVMContext>(), nullptr};
  llvm::Expected<std::unique_ptr<llvm::Module>> module =
      llvm::parseBitcodeFile({bitcode, "part"}, *part.context);
  if (!module)
    return module.takeError();
  part.module = std::move(*module);
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  // One step, so that a crash becomes an error as in lower().
  llvm::Error error = forEachInParallel(
      1, [&](size_t) { return optimizePart(part, /*isFirst=*/false, *backend, options); });
  if (error)
    return std::move(error);
  return part;
}

std::vector<KernelEntry> kernelEntries(mlir::ModuleOp module, const Target &target) {
  std::vector<KernelEntry> entries;
  for (mir::KernelOp kernel : module.getOps<mir::KernelOp>()) {
    const auto version = kernel->getAttrOfType<mlir::IntegerAttr>(mir::SplDialect::versionAttr);
    entries.push_back(
        {mir::writtenName(kernel).str() +
             abi::versionSuffix(version ? size_t(version.getInt()) : abi::Contract::Checked),
         target.entrySymbol(kernel.getSymName())});
  }
  return entries;
}

} // namespace spl::codegen
