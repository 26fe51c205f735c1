// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: the indented lines of functions, branches, loops, structs and enums.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

/// How a block begins after the ':' of its header: on the same line, indented, or not at all.
enum class Opening : uint8_t { OnLine, Indented, Missing };

/// Parses the ':' after a header, and the Newline and the Indent of an indented block. `hint` says
/// what an empty block can contain.
Opening openBlock(Parser &parser, StringRef what, SourceRange header, StringRef hint);
/// Parses the ':' and the block after a header. If `doc` is not null, a docstring may come first.
Block parseBlock(Parser &parser, StringRef what, SourceRange header, StringRef *doc = nullptr);
/// Parses the lines from an Indent to its Dedent.
void parseIndented(Parser &parser, StringRef *doc, llvm::function_ref<void()> parseLine);

} // namespace spl::syntax
