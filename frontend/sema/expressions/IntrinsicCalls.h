// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of gpu.* and math.*, checked against the signatures of the intrinsics table.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// `expected` is the type that the result should have, or null.
const Expr *checkIntrinsic(ExpressionContext &context, const syntax::CallExpr &call,
                           const intrinsics::Row &row, Type expected);
/// Checks and evaluates a constant axis below `count`. `allowed` describes the valid axes in the
/// error. Returns nothing if it reports an error.
std::optional<unsigned> checkAxis(ExpressionContext &context, const syntax::Expr &expr,
                                  unsigned count, const std::string &allowed);

} // namespace spl::sema
