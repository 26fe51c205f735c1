// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Diagnostics.h"
#include "codegen/Parallel.h"
#include "codegen/Parts.h"
#include "codegen/SharedContext.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckReport.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace spl::codegen {

/// Adds the passes that need the whole module.
static void addModulePasses(mlir::OpPassManager &passes, const Options &options) {
  // Before inlining: the message of a fault then contains the name that the source line uses.
  passes.addPass(mir::createSelectChecks({.kinds = options.checks.str()}));
  passes.addPass(mir::createCheckAtomics());
  passes.addPass(mir::createInlineCalls());
}

/// Adds the passes that need a kernel and the functions that it calls.
static void addKernelPasses(mlir::OpPassManager &passes, const Options &options,
                            const Output &output, bool reportsChecks) {
  // After inlining: each call of a function is then within the control flow of its caller.
  passes.addPass(mir::createCheckBarriers());
  passes.addPass(mir::createCheckWaits());
  // Before spl-expand-intrinsics, because these passes need the ids and sizes of the source.
  passes.addPass(mir::createLaunchContracts({.maxConditions = options.contracts ? 32u : 0u,
                                             .maxGroups = options.target->contractGroups(output),
                                             .report = reportsChecks,
                                             .keepUnused = options.instrument}));
  // The loops are still those of the source.
  options.target->addSourcePasses(passes, options, output);
  // Replaces ids, sizes and functions that the target does not have.
  passes.addPass(mir::createExpandIntrinsics(expansionFor(*options.target.target)));
  options.target->addFinalPasses(passes, options, output);
}

void buildMirPipeline(mlir::OpPassManager &passes, const Options &options, const Output &output) {
  addModulePasses(passes, options);
  addKernelPasses(passes, options, output, /*reportsChecks=*/false);
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

namespace {

/// A pipeline over a module of MIR.
class MirPasses : public mlir::PassManager {
public:
  explicit MirPasses(mlir::MLIRContext *context)
      : PassManager(context, mlir::ModuleOp::getOperationName()) {
    enableVerifier(false); // each pass is verified by its tests
  }

  llvm::Error runOn(mlir::ModuleOp module) {
    return succeeded(run(module)) ? llvm::Error::success()
                                  : llvm::make_error<Reported>("a pass over MIR");
  }

  /// Loads what the passes need, so that several threads can run such pipelines.
  void loadDialects() {
    mlir::DialectRegistry registry;
    getDependentDialects(registry);
    getContext()->appendDialectRegistry(registry);
    for (llvm::StringRef name : registry.getDialectNames())
      getContext()->getOrLoadDialect(name);
  }
};

/// The places of the definitions in a module, by their names.
class Places {
public:
  explicit Places(mlir::ModuleOp module) {
    for (mlir::Operation &op : *module.getBody())
      places.try_emplace(mlir::SymbolTable::getSymbolName(&op), places.size());
  }

  /// Moves the definitions of the parts into the module, in their original order. New definitions
  /// come after the one that they follow in their part.
  void join(llvm::ArrayRef<Part> parts, mlir::ModuleOp module) const {
    std::vector<llvm::SmallVector<mlir::Operation *, 2>> placed(places.size());
    for (const Part &part : parts) {
      size_t place = 0;
      for (mlir::Operation &op : *part.module.get().getBody()) {
        const auto known = places.find(mlir::SymbolTable::getSymbolName(&op));
        if (known != places.end())
          place = known->second;
        placed[place].push_back(&op);
      }
    }
    for (const auto &ops : placed)
      for (mlir::Operation *op : ops) {
        op->remove();
        module.getBody()->push_back(op);
      }
  }

private:
  llvm::DenseMap<mlir::StringAttr, size_t> places;
};

} // namespace

/// Runs a pipeline that needs a kernel and the functions that it calls, on several threads. After
/// an error the module is empty.
static llvm::Error runOnParts(mlir::ModuleOp module,
                              llvm::function_ref<void(mlir::OpPassManager &)> addPasses) {
  const Places places(module);
  std::vector<Part> parts = splitModule(module, leastPart, /*hasLater=*/false);
  MirPasses passes(module.getContext());
  addPasses(passes);
  llvm::Error error = llvm::Error::success();
  if (parts.size() == 1) {
    error = passes.runOn(*parts.front().module);
  } else {
    passes.loadDialects();
    const std::vector<size_t> order = largestFirst(parts);
    SharedContext shared(*module.getContext());
    error = forEachInParallel(parts.size(), [&](size_t place) {
      const size_t number = order[place];
      MirPasses own(module.getContext());
      addPasses(own);
      return shared.run(number, [&] { return own.runOn(*parts[number].module); });
    });
  }
  if (error) {
    if (!error.isA<Reported>()) // a crash: its part may be in a state in which it cannot be
                                // destroyed
      for (Part &part : parts)
        (void)part.module.release();
    return error;
  }
  places.join(parts, module);
  return error;
}

llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options, const Output &output,
                           std::vector<SourceError> &warnings,
                           std::vector<abi::CheckReport> *checks) {
  MlirErrors errors(module.getContext());
  MirPasses passes(module.getContext());
  addModulePasses(passes, options);
  const auto addRest = [&](mlir::OpPassManager &to) {
    addKernelPasses(to, options, output, /*reportsChecks=*/checks != nullptr);
  };
  // What is printed after a pass, and the times, are those of the whole module.
  const bool isOne = !options.printAfter.empty() || options.timePasses;
  if (isOne)
    addRest(passes);
  if (!options.printAfter.empty())
    if (llvm::Error error = printAfter(passes, options.printAfter))
      return error;
  if (options.timePasses)
    passes.enableTiming();
  llvm::Error error = passes.runOn(module);
  if (!error && !isOne)
    error = runOnParts(module, addRest);
  warnings = errors.takeWarnings();
  if (checks)
    *checks = mir::takeCheckReports(module);
  return error ? errors.joinedWith(std::move(error)) : llvm::Error::success();
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
