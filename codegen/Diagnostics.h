// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the diagnostics of MLIR and LLVM as an llvm::Error. MLIR's become a list of
// SourceErrors, LLVM's become text without a place. A collector is a local object that collects
// while it exists.
//
// An error that a user can cause has a row in diagnostics/PassDiagnostics.def. An error without a
// row is an error of the compiler, which driver/Compilation.cpp reports as codegen-failed.
#pragma once

#include "codegen/Pipeline.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

/// The error of a step that failed after a diagnostic, which MlirErrors collects.
class Reported : public llvm::ErrorInfo<Reported> {
public:
  static char ID;
  explicit Reported(std::string phase) : phase(std::move(phase)) {}
  void log(llvm::raw_ostream &os) const override { os << phase << " failed and did not say why"; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string phase;
};

/// Collects the errors and warnings of an MLIR context while it exists.
class MlirErrors {
public:
  explicit MlirErrors(mlir::MLIRContext *context);
  ~MlirErrors() { llvm::consumeError(std::move(collected)); }
  /// Returns success if \p result is success. Otherwise returns the collected errors, or an error
  /// that names \p phase if there are none.
  llvm::Error result(mlir::LogicalResult result, llvm::StringRef phase);
  /// Returns the collected errors and this one. A Reported among them is left out, unless it is the
  /// only error.
  llvm::Error joinedWith(llvm::Error error);
  /// The collected warnings, which passes report by a row of diagnostics/PassDiagnostics.def.
  std::vector<SourceError> takeWarnings() { return std::move(warnings); }

private:
  llvm::Error collected = llvm::Error::success();
  std::vector<SourceError> warnings;
  bool hasErrors = false;
  mlir::ScopedDiagnosticHandler handler;
};

/// Collects the errors of an LLVM context while it exists. Without it, LLVM prints an error and
/// exits the process.
class LlvmErrors {
public:
  explicit LlvmErrors(llvm::LLVMContext &context);
  ~LlvmErrors();
  LlvmErrors(const LlvmErrors &) = delete;
  LlvmErrors &operator=(const LlvmErrors &) = delete;
  llvm::Error result() const;

private:
  llvm::LLVMContext &context;
  std::string text;
};

} // namespace spl::codegen
