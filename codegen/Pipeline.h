// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MIR to code: the steps in order. The caller owns the MLIR context and the module, which
// lowerToLlvm consumes (it is left in the LLVM dialect). Errors are SourceErrors where
// something in the source caused them, else text; nothing here ends the process.
#pragma once

#include "codegen/Options.h"
#include "mir/dialect/PassDiagnostic.h"
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

/// What went wrong at a place of the source. line is 0 where the place is not known.
class SourceError : public llvm::ErrorInfo<SourceError> {
public:
  static char ID;
  std::string file;
  unsigned line = 0, column = 0; ///< from 1
  std::string text;
  std::optional<mir::PassDiagnostic> diagnostic; ///< nothing for an error of the compiler
  std::vector<SourceError> notes;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// An error that the user or the machine causes, without a place in the source.
llvm::Error userError(mir::PassDiagnostic diagnostic, const llvm::Twine &text);

/// A module in LLVM IR with the context that holds it, ready for a JIT's ThreadSafeModule.
struct LlvmModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// The steps on MIR, as passes: those that all targets share with the target's own between and
/// after them.
void buildMirPipeline(mlir::OpPassManager &passes, const Options &options);
/// Runs them; afterwards the module is what --emit mir-final shows. \p warnings gets what passes
/// warn of, also when they fail.
llvm::Error runMirPipeline(mlir::ModuleOp module, const Options &options,
                           std::vector<SourceError> &warnings);
/// MIR that went through runMirPipeline, to optimised LLVM IR. The target has an LlvmBackend.
llvm::Expected<LlvmModule> lowerToLlvm(mlir::ModuleOp module, const Options &options);

/// The options of spl-expand-intrinsics that follow from the target's lowerings.
mir::ExpandIntrinsicsOptions expansionFor(const Target &target);

/// A kernel of a module, and the symbol of its entry in the target's outputs.
struct KernelEntry {
  std::string kernel, symbol;
};
/// Those of MIR, in its order, the kernels that launch contracts choose included.
std::vector<KernelEntry> kernelEntries(mlir::ModuleOp module, const Target &target);

/// The module as text.
llvm::SmallVector<char, 0> printLlvm(const LlvmModule &module);
enum class CodeForm { Assembly, Object };
/// Generates code by the target's LLVM back end.
llvm::Error writeMachineCode(LlvmModule &module, const Options &options, CodeForm form,
                             llvm::SmallVectorImpl<char> &output);

/// The passes of codegen by name, for simple-opt: spl-to-llvm, and spl-expand-for, which is
/// spl-expand-intrinsics with the options of a target.
void registerPasses();

} // namespace spl::codegen
