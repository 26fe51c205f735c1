// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the frontend with random text. The result is errors or a program. The MIR of a program
// must be valid, and must read back as it prints.
#include "frontend/diag/Engine.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/FileSet.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/MirPipeline.h"
#include "llvm/Support/raw_ostream.h"

using namespace spl;

static std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

static void checkMir(const sema::Program &program, const diag::SourceManager &sources) {
  mlir::MLIRContext &context = fuzz::context();
  mlir::OwningOpRef<mlir::ModuleOp> module = mirgen::generate(program, sources, {}, context);
  fuzz::require(mlir::succeeded(mlir::verify(*module)), "a program's MIR is valid");
  std::string text = print(*module);
  auto again = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  fuzz::require(bool(again), "a program's MIR can be read back");
  fuzz::require(print(*again) == text, "MIR prints as it was read");
  fuzz::runPasses(*module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  diag::SourceManager sources;
  llvm::StringRef text =
      sources.addBuffer("fuzz.spl", {reinterpret_cast<const char *>(data), size});
  diag::Engine diagnostics(sources);
  syntax::FileSet files(sources, diagnostics, {});
  files.load("fuzz.spl", text, /*isFile=*/false);
  std::unique_ptr<sema::Program> program = sema::check(files, {}, diagnostics);
  fuzz::require(bool(program) != diagnostics.hasErrors(), "there are errors or a program");
  if (program)
    checkMir(*program, sources);
  return 0;
}
