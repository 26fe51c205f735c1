// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursive-descent parser: text of one file to its syntax tree. Never fails: what cannot be parsed
// is reported once and is in the tree as an Error node, and parsing continues after it.
#pragma once

#include "frontend/syntax/Ast.h"
#include <memory>

namespace spl::diag {
class Engine;
}

namespace spl::syntax {

/// text must be a buffer of the engine's SourceManager. The file is complete even after errors.
std::unique_ptr<File> parse(llvm::StringRef name, llvm::StringRef text, diag::Engine &diagnostics);

} // namespace spl::syntax
