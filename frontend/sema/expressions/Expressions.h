// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of every kind, and the conversion of a value to the type that is expected. The entry
// points for all who have an expression to check. Null: an error is reported.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks any expression. Literals in it take the expected type; null expects nothing.
const Expr *checkExpr(ExpressionContext &context, const syntax::Expr &expr, Type expected = {});
/// As checkExpr, and requires that the expression has a value.
const Expr *checkValue(ExpressionContext &context, const syntax::Expr &expr, Type expected = {});
/// As checkValue, and converts the value to the type. Null also if the type is the error type.
const Expr *checkAs(ExpressionContext &context, const syntax::Expr &expr, Type expected);
/// As checkValue, and requires a bool.
const Expr *checkCondition(ExpressionContext &context, const syntax::Expr &expr);
/// A constant scalar inside a body. hint is appended to the error if it is not constant.
const ConstantExpr *checkConstantHere(ExpressionContext &context, const syntax::Expr &expr,
                                      Type expected, StringRef hint = {});
/// An expression outside any body: a default, a launch bound, a constant. expected may be null.
const Expr *checkAlone(ExpressionContext &context, const syntax::Expr &expr, Type expected);
/// The length of an array: a constant of any integer type.
const Expr *checkLength(ExpressionContext &context, const syntax::Expr &expr);

/// Converts a checked value implicitly. The language has two implicit conversions: a writable slice
/// to a read-only one, and an array to a slice of it. Any other difference of types is an error.
const Expr *convert(ExpressionContext &context, const Expr *expr, Type expected);

} // namespace spl::sema
