// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

Stmt *parseStatement(Parser &parser);
/// Parses a statement without a block, up to but without the end of its line.
Stmt *parseSimpleStatement(Parser &parser);
/// Parses the '=' and the value of a declaration.
const Expr *parseInitialiser(Parser &parser, SourceRange name, bool isTyped);

Stmt *parseIf(Parser &parser);     // ParseBlocks.cpp
Stmt *parseWhile(Parser &parser);  // ParseBlocks.cpp
Stmt *parseFor(Parser &parser);    // ParseLoops.cpp
Stmt *parseMatch(Parser &parser);  // ParseMatch.cpp
Stmt *parsePrint(Parser &parser);  // ParseFormats.cpp
Stmt *parseAssert(Parser &parser); // ParseFormats.cpp

} // namespace spl::syntax
