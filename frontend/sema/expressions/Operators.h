// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators: the types that they take, and what they become in the typed tree.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// expected is the type that the result should have, or null.
const Expr *checkUnary(ExpressionContext &context, const syntax::UnaryExpr &expr, Type expected);
const Expr *checkBinary(ExpressionContext &context, const syntax::BinaryExpr &expr, Type expected);
/// a < b <= c.
const Expr *checkChain(ExpressionContext &context, const syntax::CompareChainExpr &expr);

/// lhs op rhs of checked operands. Null if one of them is null, or if an error is reported.
const Expr *combineOperands(Session &session, syntax::BinaryOp op, SourceRange range,
                            const Expr *lhs, const Expr *rhs);
/// bool, or for a vector the mask with as many lanes.
Type boolTypeFor(Session &session, Type type);
/// Reports a value that is no bool. what describes it, as in "a condition". Returns false if it
/// did.
bool requireBool(Session &session, std::string what, const Expr &expr);
/// Reports operands whose types differ, with a hint which of them to cast.
void reportMismatch(Session &session, syntax::BinaryOp op, const Expr &lhs, const Expr &rhs);

} // namespace spl::sema
