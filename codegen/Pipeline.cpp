// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Diagnostics.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/CheckReport.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

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
  options.target->addSourcePasses(passes, options, output);
  // Replaces ids, sizes and functions that the target does not have.
  passes.addPass(mir::createExpandIntrinsics(expansionFor(*options.target.target)));
  options.target->addFinalPasses(passes, options, output);
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
