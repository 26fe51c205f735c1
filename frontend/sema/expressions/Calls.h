// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of every kind. Finds the callee and passes the call to FunctionCalls, Aggregates,
// IntrinsicCalls or MemoryCalls.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// `expected` is the type that the result should have, or null.
const Expr *checkCall(ExpressionContext &context, const syntax::CallExpr &call, Type expected);
/// Checks the arguments of a call that already has a reported error. Returns null.
const Expr *abandonCall(ExpressionContext &context, const syntax::CallExpr &call);
/// Reports a named argument of a call that accepts none. Returns false if it reports one.
bool requirePositional(Session &session, const syntax::CallExpr &call);

} // namespace spl::sema
