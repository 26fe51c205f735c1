// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics of MLIR and LLVM, collected as an llvm::Error: of MLIR a list of SourceErrors, of
// LLVM text without a place. Each collector belongs to the scope that makes it.
//
// An error without a row of frontend/diag/PassDiagnostics.def is an error of the compiler itself:
// driver/Compilation.cpp reports it as codegen-failed. Whatever a user can cause and mend has a
// row.
#pragma once

#include "codegen/Pipeline.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

/// Collects MLIR's errors and warnings while it lives.
class MlirErrors {
public:
  explicit MlirErrors(mlir::MLIRContext *context);
  ~MlirErrors() { llvm::consumeError(std::move(collected)); }
  /// Success, or the errors that were collected.
  llvm::Error result(mlir::LogicalResult result, llvm::StringRef phase);
  /// The warnings that passes gave by a row of frontend/diag/PassDiagnostics.def.
  std::vector<SourceError> takeWarnings() { return std::move(warnings); }

private:
  llvm::Error collected = llvm::Error::success();
  std::vector<SourceError> warnings;
  bool hasErrors = false;
  mlir::ScopedDiagnosticHandler handler;
};

/// Collects an LLVM context's errors while it lives: without it, LLVM prints them and exits.
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
