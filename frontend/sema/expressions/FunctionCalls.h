// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions and methods of the source, and defaults of their parameters.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// The arguments of one call, by parameter of the callee without self.
struct CallArguments {
  const Expr *self = nullptr;                            ///< what a method is called on, else null
  llvm::SmallVector<const syntax::Expr *, 4> given = {}; ///< null: the default is used
  llvm::SmallVector<const Expr *, 4> checked = {};       ///< null: not yet checked
  llvm::SmallVector<unsigned, 4> written = {}; ///< in the order of the source, then the defaults
};

/// Calls Session::functions[callee]. generics: the expressions in brackets after the name. self:
/// what a method is called on, else null.
const Expr *checkFunctionCall(ExpressionContext &context, const syntax::CallExpr &call,
                              unsigned callee, ArrayRef<const syntax::Expr *> generics,
                              const Expr *self = nullptr);
/// The default of a parameter. All defaults of the callee are checked when the first one is asked
/// for. Null: an error is reported.
const Expr *checkedDefault(Session &session, FunctionEntry &callee, unsigned parameter);

} // namespace spl::sema
