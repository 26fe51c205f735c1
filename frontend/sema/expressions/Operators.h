// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators: the types of their operands, and their nodes in the typed tree.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// `expected` is the type that the result should have, or null.
const Expr *checkUnary(ExpressionContext &context, const syntax::UnaryExpr &expr, Type expected);
const Expr *checkBinary(ExpressionContext &context, const syntax::BinaryExpr &expr, Type expected);
/// a < b <= c.
const Expr *checkChain(ExpressionContext &context, const syntax::CompareChainExpr &expr);

/// Makes `lhs op rhs` of checked operands, and widens an integer to the type of the other one.
/// Returns null if one of them is null, or if it reports an error.
const Expr *combineOperands(ExpressionContext &context, syntax::BinaryOp op, SourceRange range,
                            const Expr *lhs, const Expr *rhs);
/// Returns bool, or for a vector the mask with as many lanes.
Type boolTypeFor(Session &session, Type type);
/// Reports a value that is no bool. `what` describes the value, as in "a condition". Returns false
/// if it reports one.
bool requireBool(Session &session, std::string what, const Expr &expr);
/// Reports operands whose types differ. The hint says which of them to cast.
void reportMismatch(Session &session, syntax::BinaryOp op, const Expr &lhs, const Expr &rhs);

} // namespace spl::sema
