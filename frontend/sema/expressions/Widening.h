// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The implicit conversion of an integer to a type that has all values of its own type, and the
// warning about arithmetic that may wrap before such a conversion. The conversion is a CastExpr, as
// `as` makes it.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Whether `from` and `to` are different integer types and every value of `from` is one of `to`.
/// Never for vectors.
bool widens(Type from, Type to);
/// Converts an integer to `to` if its type widens to it. Returns any other expression as it is.
const Expr *widen(ExpressionContext &context, const Expr *expr, Type to);
/// Widens one of two operands to the type of the other one, or to that of its lanes. Does not
/// change the place of a compound assignment.
void widenPair(ExpressionContext &context, const Expr *&lhs, const Expr *&rhs);
/// Widens integers to the widest of their types. Nulls are skipped. Returns false if it reports two
/// of them that have no such type.
bool widenTogether(ExpressionContext &context, llvm::MutableArrayRef<const Expr *> operands);

/// Warns about a product in `expr`, an integer that is used as an index or that `as` converts to
/// `to`, if it may wrap in its narrow type. `to` is null for an index.
void warnWrapping(ExpressionContext &context, const Expr &expr, Type to);

} // namespace spl::sema
