// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic analysis: makes the typed Program from the syntax trees. Reports every error once.
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
  bool strictFp = false; ///< products are not fused (--strict-fp)
  /// Instances of generic kernels to compile, as in "scale[f32, 16]".
  std::vector<std::string> instances = {};
};

/// Returns null if and only if there is an error. The files must outlive the program, whose names
/// and ranges point into their texts.
std::unique_ptr<Program> check(const syntax::FileSet &files, const CheckOptions &options,
                               diag::Engine &diagnostics);

} // namespace spl::sema
