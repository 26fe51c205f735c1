// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that belong to a type: f32.MAX, T.BITS, size_of[T]().
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks `type.NAME`. Reports a name that the type does not have.
const Expr *checkTypeNumber(Session &session, const syntax::MemberExpr &expr, Type type);

/// Checks size_of[T](): the bytes of a value of that type in memory.
const Expr *checkSizeOf(ExpressionContext &context, const syntax::CallExpr &call,
                        ArrayRef<const syntax::Expr *> brackets);

} // namespace spl::sema
