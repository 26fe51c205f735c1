// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// math.bitcast[T](x): the bits of x as a value of another type of the same size.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// `brackets` are the expressions in brackets after the name.
const Expr *checkBitcast(ExpressionContext &context, const syntax::CallExpr &call,
                         const intrinsics::Row &row, ArrayRef<const syntax::Expr *> brackets);

} // namespace spl::sema
