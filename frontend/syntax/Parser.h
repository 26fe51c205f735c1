// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser makes the syntax tree of one file from its text, by recursive descent. It never fails.
// Text that cannot be parsed is reported once and becomes an Error node, and parsing continues
// after it.
#pragma once

#include "frontend/syntax/Ast.h"
#include <memory>

namespace spl::diag {
class Engine;
}

namespace spl::syntax {

/// `text` must be a buffer of the engine's SourceManager. Parses the whole file, even after errors.
std::unique_ptr<File> parse(llvm::StringRef name, llvm::StringRef text, diag::Engine &diagnostics);

} // namespace spl::syntax
