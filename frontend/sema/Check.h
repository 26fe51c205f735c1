// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic analysis: from the syntax trees to the typed Program. Every error is reported once, to
// the engine.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace spl::diag {
class Engine;
}
namespace spl::syntax {
class FileSet;
}

namespace spl::sema {
struct Program;

struct CheckOptions {
  bool strictFp = false;                   ///< products are not fused (--strict-fp)
  std::vector<std::string> instances = {}; ///< of generic kernels, as in "scale[f32, 16]"
};

/// Returns null exactly if there was an error. The files must outlive the program: its names and
/// ranges point into their texts.
std::unique_ptr<Program> check(const syntax::FileSet &files, const CheckOptions &options,
                               diag::Engine &diagnostics);

} // namespace spl::sema
