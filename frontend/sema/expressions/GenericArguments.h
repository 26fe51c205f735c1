// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of generic functions and structs: given in brackets, or inferred from the values of a
// call.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include "frontend/sema/expressions/FunctionCalls.h"

namespace spl::sema {

/// A generic function or struct, whose arguments are inferred.
struct Generic {
  StringRef name;
  ArrayRef<syntax::GenericParameter> parameters;
  const FileNames &names; ///< of the file that declares it
  /// The types of its parameters or fields, as written.
  llvm::SmallVector<const syntax::TypeExpr *, 8> types = {};
};

/// Reads one generic argument in brackets. Returns false if it reports an error.
bool readGeneric(ExpressionContext &context, const syntax::GenericParameter &generic,
                 const syntax::Expr &expr, GenericArgument &result);
/// Infers the generic arguments of a call that gives values for parameters or fields. `brackets`
/// are the expressions in brackets after the name. `check` checks a value that is no literal, which
/// is stored in `arguments.checked`. Returns nothing if it reports an error.
std::optional<llvm::SmallVector<GenericArgument, 4>>
inferArguments(ExpressionContext &context, const syntax::CallExpr &call, const Generic &generic,
               ArrayRef<const syntax::Expr *> brackets, CallArguments &arguments,
               llvm::function_ref<const Expr *(unsigned)> check);
/// Finds the instance of a generic function for a call. Returns an index into Session::functions.
/// `brackets` are the expressions in brackets after the name. Arguments that are not literals are
/// checked here and stored in `arguments.checked`. Returns nothing if it reports an error.
std::optional<unsigned> inferInstance(ExpressionContext &context, const syntax::CallExpr &call,
                                      unsigned callee, ArrayRef<const syntax::Expr *> brackets,
                                      CallArguments &arguments);
/// Returns the type that an expression in brackets names: i32, Particle, Pair[f32], [f32; 4],
/// (i32, i32).
/// Returns the error type if it reports an error.
Type readType(ExpressionContext &context, const syntax::Expr &expr);
/// Returns the type in brackets of gpu.shared[T] and similar calls. The error for a missing type
/// shows `example`. Returns the error type if it reports an error.
Type readTypeArgument(ExpressionContext &context, StringRef name, SourceRange callee,
                      ArrayRef<const syntax::Expr *> brackets, StringRef example);

} // namespace spl::sema
