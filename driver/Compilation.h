// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, from source text to any stage or output of a target. A Compilation owns
// everything that the stages refer to: text, diagnostics, trees and MIR. All errors, in the source
// and in later stages, are reported to diagnostics(). A function that returns false has reported an
// error. A Compilation must not be used by several threads at once, but each thread may have its
// own.
#pragma once

#include "codegen/Options.h"
#include "codegen/Pipeline.h"
#include "driver/Outputs.h"
#include "frontend/diag/Engine.h"
#include "spl/abi/CheckReport.h"
#include "spl/abi/Signature.h"
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
  codegen::Options codegen;          ///< target, -O, checks, contracts and the like
  bool strictFp = false;             ///< no fusion of a * b + c
  std::vector<std::string> kernels;  ///< the kernels to compile; if empty, all that are not generic
  std::vector<std::string> includes; ///< folders that 'use' searches after the folder of the file
  std::vector<std::string> instances; ///< more instances of generic kernels: "scale[f32]"
  bool stats = false;                 ///< count the checks and resources of each kernel (stats())
};

/// A kernel of a compiled file.
struct KernelInfo {
  abi::Signature signature;
  std::string name;
  std::string entrySymbol; ///< in the target's outputs
};

/// An output with its kernels, as it is loaded: host code or PTX.
struct Compiled {
  std::vector<KernelInfo> kernels;
  std::string code;
};

/// The source of a compilation.
struct Source {
  llvm::StringRef name, text;
  bool isFile = false; ///< whether name is the path of a file
};

class Compilation {
public:
  explicit Compilation(CompileOptions options);
  ~Compilation();

  const CompileOptions &options() const;
  diag::Engine &diagnostics();

  /// Sets the source. The caller calls one of these two functions, once. Returns false if the file
  /// cannot be read.
  bool readFile(llvm::StringRef path);
  bool setText(llvm::StringRef name, llvm::StringRef text);
  const Source &source() const;

  /// The paths of the source, if it is a file, and of the files that it uses. Parses them, and
  /// reports no errors.
  std::vector<std::string> findFiles() const;

  /// Compiles to the stage or the target's output with that name, and appends it to output. Returns
  /// false after an error. An unknown name is reported as an error of the compiler, so the caller
  /// checks names first (findOutput).
  bool emit(llvm::StringRef name, llvm::SmallVectorImpl<char> &output);

  /// Compiles to the target's output with this use: Bundled for the image that a bundle
  /// (spl/Bundle.h) contains, Loaded for what this process can load.
  bool emitFor(codegen::Output::Use use, llvm::SmallVectorImpl<char> &output);

  /// The compiled kernels, in the order of the source. Empty before emit reaches the stage mir.
  const std::vector<KernelInfo> &kernels() const;

  /// The source and the files that its 'use' lines read. Call this only after emit has reached the
  /// stage mir.
  const syntax::FileSet &files() const;

  /// What became of the checks of each kernel, if options.stats is set and emit reached the stage
  /// mir-final. Otherwise empty.
  const std::vector<abi::CheckReport> &checks() const;

  /// The same and the resources of each kernel, as lines, if options.stats is set and emit wrote an
  /// output with Output::Counted. Otherwise empty.
  llvm::StringRef stats() const;

  /// Reports an error of a stage after the frontend, at its place in the source if that is known.
  /// Returns false if there is an error. An error without a row in
  /// diagnostics/PassDiagnostics.def is an error of the compiler: it is reported as
  /// codegen-failed, with a folder that reproduces it (Reproducer.h).
  bool report(llvm::Error error);

private:
  struct State;
  void parse();
  bool check();
  bool generateMir();
  bool selectKernels();
  bool finishMir(const codegen::Output &kind); ///< as that output needs it
  bool emitStage(Stage stage, llvm::SmallVectorImpl<char> &output);
  bool emitOutput(const codegen::Output &kind, llvm::SmallVectorImpl<char> &output);
  void reportInternal(diag::SourceRange range, const std::string &text);

  std::unique_ptr<State> state;
};

} // namespace spl::driver
