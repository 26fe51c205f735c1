// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks: the lines of a function, of a branch, of a struct.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

/// How a block begins after its header's ':': on the same line, indented, or not at all.
enum class Opening : uint8_t { OnLine, Indented, Missing };

/// The ':' after a header and what leads to the block: nothing, or a line's end before the Indent.
/// hint says what an empty block can contain.
Opening openBlock(Parser &parser, StringRef what, SourceRange header, StringRef hint);
/// The ':' and the block after a header; with doc, a docstring may come first.
Block parseBlock(Parser &parser, StringRef what, SourceRange header, StringRef *doc = nullptr);
/// From an Indent to its Dedent, line by line.
void parseIndented(Parser &parser, StringRef *doc, llvm::function_ref<void()> parseLine);

} // namespace spl::syntax
