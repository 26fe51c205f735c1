// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Diagnostics.h"
#include "codegen/Pipeline.h"
#include "mir/dialect/Report.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::codegen {

static void appendLine(std::string &text, const llvm::Twine &line) {
  if (!text.empty())
    text += '\n';
  text += line.str();
}

char SourceError::ID = 0;
char Reported::ID = 0;

void SourceError::log(llvm::raw_ostream &os) const {
  if (line != 0)
    os << file << ":" << line << ":" << column << ": ";
  os << text;
}

llvm::Error userError(mir::PassDiagnostic diagnostic, const llvm::Twine &text) {
  SourceError error;
  error.diagnostic = diagnostic;
  error.text = text.str();
  return llvm::make_error<SourceError>(std::move(error));
}

static SourceError asSourceError(mlir::Diagnostic &diagnostic) {
  SourceError error;
  error.text = diagnostic.str();
  if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    error.file = place.getFilename().str();
    error.line = place.getLine();
    error.column = place.getColumn();
  }
  error.diagnostic = mir::rowOf(diagnostic);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    error.notes.push_back(asSourceError(note));
  return error;
}

MlirErrors::MlirErrors(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        // MLIR reports that an operation could not be legalised after a pattern has already
        // reported why.
        bool isEcho =
            llvm::StringRef(diagnostic.str()).starts_with("failed to legalize") && hasErrors;
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
          if (SourceError warning = asSourceError(diagnostic); warning.diagnostic)
            warnings.push_back(std::move(warning));
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error || isEcho)
          return mlir::success();
        hasErrors = true;
        collected = llvm::joinErrors(std::move(collected),
                                     llvm::make_error<SourceError>(asSourceError(diagnostic)));
        return mlir::success();
      }) {}

llvm::Error MlirErrors::result(mlir::LogicalResult result, llvm::StringRef phase) {
  if (succeeded(result))
    return llvm::Error::success();
  if (!hasErrors)
    return llvm::make_error<Reported>(phase.str());
  return std::move(collected);
}

llvm::Error MlirErrors::joinedWith(llvm::Error error) {
  if (!hasErrors)
    return error;
  error = llvm::handleErrors(std::move(error), [](const Reported &) {});
  return llvm::joinErrors(std::move(collected), std::move(error));
}

LlvmErrors::LlvmErrors(llvm::LLVMContext &context) : context(context) {
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *self) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        std::string line;
        llvm::raw_string_ostream stream(line);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
        appendLine(static_cast<LlvmErrors *>(self)->text, line);
      },
      this);
}

LlvmErrors::~LlvmErrors() { context.setDiagnosticHandlerCallBack(nullptr); }

llvm::Error LlvmErrors::result() const {
  return text.empty() ? llvm::Error::success() : llvm::createStringError(text);
}

} // namespace spl::codegen
