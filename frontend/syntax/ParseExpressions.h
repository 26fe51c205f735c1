// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions: operators by precedence (ParseExpressions.cpp) and operands (ParseOperands.cpp).
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

Expr *parseExpression(Parser &parser);
/// Binds tighter than '|', which separates the patterns of a match.
Expr *parsePatternValue(Parser &parser);
Expr *parsePostfix(Parser &parser);
/// A string where an expression is expected. Reports that strings appear in print and assert only.
Expr *parseString(Parser &parser);

} // namespace spl::syntax
