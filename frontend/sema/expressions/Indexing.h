// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// a[i], a[i, j] and a[i..j].
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

const Expr *checkIndex(ExpressionContext &context, const syntax::IndexExpr &expr);
/// Checks one index: a value of any integer type.
const Expr *checkIndexValue(ExpressionContext &context, const syntax::Expr &expr);

} // namespace spl::sema
