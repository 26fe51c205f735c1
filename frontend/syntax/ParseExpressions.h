// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: operators by precedence (ParseExpressions.cpp) and operands (ParseOperands.cpp).
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

Expr *parseExpression(Parser &parser);
/// Parses an expression whose operators bind tighter than '|', which separates the patterns of a
/// match.
Expr *parsePatternValue(Parser &parser);
Expr *parsePostfix(Parser &parser);
/// Parses a string in the place of an expression. Reports that strings are valid only in print,
/// assert and gpu.trap.
Expr *parseString(Parser &parser);

} // namespace spl::syntax
