// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper of mirgen tests: generates a module from source text. Owns the module and all that the
// module needs.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/FileSet.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace spl::test {

class Generated {
public:
  explicit Generated(llvm::StringRef source) {
    llvm::StringRef text = sources.addBuffer("test.spl", source);
    syntax::FileSet files(sources, engine, {});
    files.load("test.spl", text, /*isFile=*/false);
    std::unique_ptr<sema::Program> program;
    if (!engine.hasErrors())
      program = sema::check(files, {}, engine);
    if (program)
      module = mirgen::generate(*program, sources, {}, context);
  }

  /// Empty if the module verifies, or else the text of the error.
  std::string error() {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!module) {
      engine.print(os, /*colour=*/false);
      return text;
    }
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      os << diagnostic << '\n';
      return mlir::success();
    });
    if (failed(mlir::verify(*module)) && text.empty())
      text = "does not verify";
    return text;
  }

  /// The text of the module, or the error.
  std::string print() {
    if (!module)
      return error();
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  diag::SourceManager sources;
  diag::Engine engine{sources};
};

} // namespace spl::test
