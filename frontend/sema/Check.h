// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semantic analysis: from the syntax tree to the typed Program. All mistakes go to the engine, each
// once; the answer is null exactly when one of them was an error.
#pragma once

#include <memory>

namespace spl::diag {
class Engine;
}
namespace spl::syntax {
struct File;
}

namespace spl::sema {
struct Program;

struct CheckOptions {
  bool strictFp = false; ///< no fusing of products (--strict-fp)
};

/// The file must outlive the program: names and ranges point into its text.
std::unique_ptr<Program> check(const syntax::File &file, const CheckOptions &options,
                               diag::Engine &diagnostics);

} // namespace spl::sema
