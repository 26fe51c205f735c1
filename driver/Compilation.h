// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation from source text to any stage on the way to a target. A Compilation owns all that
// the stages refer to: text, diagnostics, trees and MIR. Every error in the source, and every
// failure of a later stage, is in diagnostics(); a step that returns false or nothing has reported
// why. Not for several threads at once; several Compilations are.
#pragma once

#include "codegen/Options.h"
#include "codegen/Pipeline.h"
#include "driver/Outputs.h"
#include "frontend/diag/Engine.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
}
namespace spl::syntax {
class FileSet;
}

namespace spl::driver {

struct CompileOptions {
  codegen::Options codegen;           ///< target, -O, checks, device math
  bool strictFp = false;              ///< no fusing of products
  std::vector<std::string> kernels;   ///< only these; empty: every kernel that is not generic
  std::vector<std::string> includes;  ///< folders where 'use' looks after the file's own
  std::vector<std::string> instances; ///< of generic kernels, besides: "scale[f32]"
  bool stats = false;                 ///< tell what each kernel takes
};

/// A kernel of a compiled file.
struct KernelInfo {
  std::string signature; ///< in the language's own syntax
  std::string name;
  std::string entrySymbol; ///< in what the target emits
};

/// What is loaded: host code or PTX, with the kernels in it.
struct Compiled {
  std::vector<KernelInfo> kernels;
  std::string code;
};

/// What is compiled.
struct Source {
  llvm::StringRef name, text;
  bool isFile = false; ///< the text is a file's, which has a folder
};

class Compilation {
public:
  explicit Compilation(CompileOptions options);
  ~Compilation();

  const CompileOptions &options() const;
  diag::Engine &diagnostics();

  /// The source: one of them, once. False where the file cannot be read.
  bool readFile(llvm::StringRef path);
  bool setText(llvm::StringRef name, llvm::StringRef text);
  const Source &source() const;

  /// Compiles as far as the stage or the target's output of that name, and writes it to output. An
  /// unknown name is an error of the compiler.
  bool emit(llvm::StringRef name, llvm::SmallVectorImpl<char> &output);

  /// Compiles and writes what a bundle (spl/Bundle.h) holds for the target.
  bool emitImage(llvm::SmallVectorImpl<char> &output);

  /// The kernels that were compiled, in the order of the source; known once emit reached mir.
  const std::vector<KernelInfo> &kernels() const;

  /// What was read besides; there once emit reached mir.
  const syntax::FileSet &files() const;

  /// With options.stats what each kernel takes, a line each; known once emit wrote an output
  /// that is Counted, empty before.
  llvm::StringRef stats() const;

  /// Reports a failure behind the frontend, at its place in the source where that is known; false
  /// if there was one. One without a row of frontend/diag/PassDiagnostics.def is an error of the
  /// compiler: it is reported as codegen-failed, with a folder to reproduce it from (Reproducer.h).
  bool report(llvm::Error error);

private:
  struct State;
  void parse();
  bool check();
  bool generateMir();
  bool selectKernels();
  bool finishMir();
  bool emitStage(Stage stage, llvm::SmallVectorImpl<char> &output);
  bool emitOutput(const codegen::Output &target, llvm::SmallVectorImpl<char> &output);
  void reportInternal(diag::SourceRange range, const std::string &text);

  std::unique_ptr<State> state;
};

} // namespace spl::driver
