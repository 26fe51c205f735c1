// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps from MIR to code, in order. The caller owns the MLIR context and the module.
// lowerToLlvm and compileParts consume the module: it must not be used afterwards. The context's
// multithreading must be off. Errors with a cause in the source are SourceErrors, others are text.
// No error ends the process.
#pragma once

#include "codegen/Archive.h"
#include "codegen/Options.h"
#include "mir/dialect/PassDiagnostic.h"
#include "spl/abi/CheckReport.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace spl::mir {
struct ExpandIntrinsicsOptions;
} // namespace spl::mir

namespace spl::codegen {

class LlvmBackend;

/// An error at a place in the source. line is 0 if the place is not known.
class SourceError : public llvm::ErrorInfo<SourceError> {
public:
  static char ID;
  std::string file;
  unsigned line = 0, column = 0; ///< from 1
  std::string text;
  std::optional<mir::PassDiagnostic> diagnostic; ///< empty for an error of the compiler
  std::vector<SourceError> notes;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// An error that the user or the system causes. It has no place in the source.
llvm::Error userError(mir::PassDiagnostic diagnostic, const llvm::Twine &text);

/// An LLVM module, and the context that it belongs to.
struct LlvmModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Adds the passes on MIR: those that all targets share, and those of the target between and after
/// them. The contracts are those for \p output (Target::contractGroups).
void buildMirPipeline(mlir::OpPassManager &passes, const Options &options, const Output &output);
/// Runs the passes of buildMirPipeline, those after inlining on several threads, each on a part of
/// the module (codegen/Parts.h). The result is the output of --emit mir-final. Adds the warnings of
/// the passes to \p warnings, even if a pass fails. If passes fail in several parts, the errors are
/// those of all of them, in the order of the parts. The module must not be used after an error. If
/// \p checks is not null, sets it to what became of the checks of each kernel.
llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options, const Output &output,
                           std::vector<SourceError> &warnings,
                           std::vector<abi::CheckReport> *checks = nullptr);
/// Lowers the result of runMirPipeline to optimised LLVM IR, in one part. The target must have an
/// LlvmBackend.
llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options);

/// Prints the module as text.
llvm::SmallVector<char, 0> printLlvm(const LlvmModule &module);

enum class CodeForm { Assembly, Object };
/// Generates code with the target's LLVM back end.
llvm::Expected<llvm::SmallVector<char, 0>>
writeMachineCode(LlvmModule &module, const LlvmBackend &backend, CodeForm form);
/// The same for the result of lowerToLlvm. If the back end crashes, that is an error.
llvm::Expected<llvm::SmallVector<char, 0>> writeMachineCode(LlvmModule &module,
                                                            const Options &options, CodeForm form);
/// Changes an optimised part before its code is generated, on the thread that compiles it. May be
/// null. \p number is the part's number among the \p count parts that are compiled.
using FinishPart = llvm::function_ref<void(llvm::Module &part, size_t number, size_t count)>;
/// What becomes of kernels that may be compiled later (laterAttr in codegen/Parts.h).
enum class SeldomRun {
  WithOthers, ///< they are in parts with other kernels
  Apart,      ///< each is compiled in a part of its own
  Later,      ///< each is kept as MIR, in a part of its own (PartCode)
};
/// Lowers the result of runMirPipeline and generates code with the target's LLVM back end: a text
/// or an object for each part (codegen/Parts.h). The parts are compiled on several threads. There
/// is one part for a small module, and with options that need one: lineInfo, timePasses. Parts with
/// PartCode::later come after the others.
llvm::Expected<std::vector<PartCode>> compileParts(mlir::ModuleOp module, const Options &options,
                                                   CodeForm form, FinishPart finish,
                                                   SeldomRun seldomRun);
/// Compiles such a part, with the same options. \p finish may be null. Several threads may do so at
/// once.
llvm::Expected<llvm::SmallVector<char, 0>>
compileLater(llvm::StringRef mir, const Options &options, CodeForm form,
             llvm::function_ref<void(llvm::Module &)> finish);

/// The options of spl-expand-intrinsics for a target. They follow from its lowerings.
mir::ExpandIntrinsicsOptions expansionFor(const Target &target);

/// A kernel of a module, and the symbol of its entry in the target's outputs.
struct KernelEntry {
  std::string kernel, symbol;
};
/// The entries of the kernels of a module, in their order. The kernels without checks, which launch
/// contracts select, have entries too.
std::vector<KernelEntry> kernelEntries(mlir::ModuleOp module, const Target &target);

/// Registers the passes of codegen for simple-opt: spl-to-llvm, and spl-expand-for, which is
/// spl-expand-intrinsics with the options of a target.
void registerPasses();

} // namespace spl::codegen
