// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of generic functions: given in brackets, or inferred from the arguments of a call.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include "frontend/sema/expressions/FunctionCalls.h"

namespace spl::sema {

/// The instance of a generic function that a call means: an index into Session::functions.
/// generics: the expressions in brackets after the name. Arguments with types of their own are
/// checked on the way and noted in `arguments.checked`. None: an error is reported.
std::optional<unsigned> inferInstance(ExpressionContext &context, const syntax::CallExpr &call,
                                      unsigned callee, ArrayRef<const syntax::Expr *> generics,
                                      CallArguments &arguments);
/// The type that an expression in brackets names: i32, Particle, [f32; 4], (i32, i32). The error
/// type if an error is reported.
Type readType(ExpressionContext &context, const syntax::Expr &expr);
/// The one type in brackets of gpu.shared[T] and the like. example is shown if it is missing. The
/// error type if an error is reported.
Type readTypeArgument(ExpressionContext &context, StringRef name, SourceRange callee,
                      ArrayRef<const syntax::Expr *> brackets, StringRef example);

} // namespace spl::sema
