// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The errors that LLVM and MLIR report are the error of the compilation.
#include "codegen/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include <gtest/gtest.h>

namespace spl::codegen {
namespace {

std::string reported(llvm::ArrayRef<std::pair<llvm::DiagnosticSeverity, const char *>> all) {
  llvm::LLVMContext context;
  LlvmErrors errors(context);
  for (auto [severity, text] : all)
    context.diagnose(llvm::DiagnosticInfoGeneric(text, severity));
  return llvm::toString(errors.result());
}

TEST(LlvmErrors, AreTheResultAndNothingElseIs) {
  EXPECT_EQ(reported({}), "");
  EXPECT_EQ(reported({{llvm::DS_Error, "one"}}), "one");
  EXPECT_EQ(reported({{llvm::DS_Error, "one"}, {llvm::DS_Error, "two"}}), "one\ntwo");
  for (llvm::DiagnosticSeverity other : {llvm::DS_Warning, llvm::DS_Remark, llvm::DS_Note}) {
    EXPECT_EQ(reported({{other, "no error"}}), "");
    EXPECT_EQ(reported({{other, "no error"}, {llvm::DS_Error, "one"}, {other, "none"}}), "one");
  }
}

TEST(MlirErrors, AreJoinedWithAnErrorThatSaysMore) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (bool isReported : {false, true}) {
    const auto joined = [&](llvm::Error error) {
      MlirErrors errors(&context);
      if (isReported)
        mlir::emitError(mlir::UnknownLoc::get(&context)) << "why";
      return llvm::toString(errors.joinedWith(std::move(error)));
    };
    EXPECT_EQ(joined(llvm::make_error<Reported>("a phase")),
              isReported ? "why" : "a phase failed and did not say why");
    EXPECT_EQ(joined(llvm::createStringError("it crashed")),
              isReported ? "why\nit crashed" : "it crashed");
  }
}

} // namespace
} // namespace spl::codegen
