// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Diagnostics.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::codegen {

static void appendLine(std::string &text, const llvm::Twine &line) {
  if (!text.empty())
    text += '\n';
  text += line.str();
}

MlirErrors::MlirErrors(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        std::string place;
        if (auto line = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
          place = (line.getFilename().getValue() + ":" + llvm::Twine(line.getLine()) + ":" +
                   llvm::Twine(line.getColumn()) + ": ")
                      .str();
        // MLIR adds that the operation could not be lowered; a pattern has said why.
        std::string message = diagnostic.str();
        bool isEcho = llvm::StringRef(message).starts_with("failed to legalize") && !text.empty();
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && !isEcho)
          appendLine(text, place + message);
        return mlir::success();
      }) {}

llvm::Error MlirErrors::result(mlir::LogicalResult result, llvm::StringRef phase) {
  if (succeeded(result))
    return llvm::Error::success();
  if (text.empty())
    return llvm::createStringError(phase + " failed and did not say why");
  return llvm::createStringError(text);
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
