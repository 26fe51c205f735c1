// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points for checking expressions of every kind, and for the conversion of a value to the
// expected type. All functions return null if they report an error.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks any expression. Literals in it take the expected type, unless that is null.
const Expr *checkExpr(ExpressionContext &context, const syntax::Expr &expr, Type expected = {});
/// As checkExpr, and requires that the expression has a value.
const Expr *checkValue(ExpressionContext &context, const syntax::Expr &expr, Type expected = {});
/// As checkValue, and converts the value to `expected`. Also returns null if that is the error
/// type.
const Expr *checkAs(ExpressionContext &context, const syntax::Expr &expr, Type expected);
/// As checkValue, and requires a bool.
const Expr *checkCondition(ExpressionContext &context, const syntax::Expr &expr);
/// Checks and evaluates a constant scalar inside a body. `hint` is appended to the error if it is
/// not constant.
const ConstantExpr *checkConstantHere(ExpressionContext &context, const syntax::Expr &expr,
                                      Type expected, StringRef hint = {});
/// Checks an expression outside any body: a default, a launch bound, a constant. `expected` may be
/// null.
const Expr *checkAlone(ExpressionContext &context, const syntax::Expr &expr, Type expected);
/// Checks the length of an array or another extent: a constant of any integer type. `hint` is
/// appended to the error if it is not constant.
const ConstantExpr *checkLength(ExpressionContext &context, const syntax::Expr &expr,
                                StringRef hint = {});
/// The value of an integer constant. A u64 that does not fit i64 counts as the largest i64.
int64_t countOf(const ConstantExpr &constant);

/// Converts a checked value implicitly. There are three implicit conversions: of an integer to a
/// type that has all values of its own, from a writable slice to a read-only one, and from an array
/// to a slice of it. Reports any other difference of types. `place` is the place of an assignment
/// that expects the type, or null.
const Expr *convert(ExpressionContext &context, const Expr *expr, Type expected,
                    const Expr *place = nullptr);
/// As convert, without the conversion of integers.
const Expr *convertExact(ExpressionContext &context, const Expr *expr, Type expected,
                         const Expr *place = nullptr);

} // namespace spl::sema
