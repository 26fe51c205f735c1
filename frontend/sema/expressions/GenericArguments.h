// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of generic functions: given in brackets, or inferred from the arguments of a call.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include "frontend/sema/expressions/FunctionCalls.h"

namespace spl::sema {

/// Finds the instance of a generic function for a call. Returns an index into Session::functions.
/// `generics` are the expressions in brackets after the name. Arguments that are not literals are
/// checked here and stored in `arguments.checked`. Returns nothing if it reports an error.
std::optional<unsigned> inferInstance(ExpressionContext &context, const syntax::CallExpr &call,
                                      unsigned callee, ArrayRef<const syntax::Expr *> generics,
                                      CallArguments &arguments);
/// Returns the type that an expression in brackets names: i32, Particle, [f32; 4], (i32, i32).
/// Returns the error type if it reports an error.
Type readType(ExpressionContext &context, const syntax::Expr &expr);
/// Returns the type in brackets of gpu.shared[T] and similar calls. The error for a missing type
/// shows `example`. Returns the error type if it reports an error.
Type readTypeArgument(ExpressionContext &context, StringRef name, SourceRange callee,
                      ArrayRef<const syntax::Expr *> brackets, StringRef example);

} // namespace spl::sema
