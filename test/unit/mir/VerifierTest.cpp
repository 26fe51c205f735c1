// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What test/mir/invalid*.mlir expects an error for is not only reported but refused: a verifier
// that reports an error and returns success would let the passes run.
#include "mir/dialect/Register.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;

TEST(Verifier, RefusesWhatItReports) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  spl::mir::loadDialects(context);
  unsigned refused = 0;
  for (const char *name : {"invalid.mlir", "invalid-memory.mlir"}) {
    auto file = llvm::MemoryBuffer::getFile(llvm::Twine(SPL_SOURCE_FOLDER "/test/mir/") + name);
    ASSERT_TRUE(file) << name;
    for (llvm::StringRef part : llvm::split((*file)->getBuffer(), "// -----")) {
      if (!part.contains("expected-error"))
        continue;
      bool isReported = false;
      ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
        isReported |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return success();
      });
      EXPECT_FALSE(parseSourceString<ModuleOp>(part, &context)) << name << part.str();
      EXPECT_TRUE(isReported) << name << part.str();
      ++refused;
    }
  }
  EXPECT_GT(refused, 80u);
}
