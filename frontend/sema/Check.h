// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic analysis: from the syntax tree to the typed Program. All mistakes go to the engine, each
// once; the answer is null exactly when one of them was an error.
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
  bool strictFp = false;                   ///< no fusing of products (--strict-fp)
  std::vector<std::string> instances = {}; ///< of generic kernels: "scale[f32, 16]"
};

/// The files must outlive the program: names and ranges point into their texts.
std::unique_ptr<Program> check(const syntax::FileSet &files, const CheckOptions &options,
                               diag::Engine &diagnostics);

} // namespace spl::sema
