// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions and methods of the source, and defaults of their parameters.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// The arguments of one call. `given` and `checked` are indexed by the callee's parameters, without
/// self, or by the fields of the struct that the call makes.
struct CallArguments {
  const Expr *self = nullptr;                            ///< the receiver of a method, else null
  llvm::SmallVector<const syntax::Expr *, 4> given = {}; ///< null: the default is used
  llvm::SmallVector<const Expr *, 4> checked = {};       ///< null: not yet checked
  llvm::SmallVector<unsigned, 4> written = {}; ///< the order of the source, then the defaults
  /// The parameters whose type is a generic parameter that the arguments determine. Their arguments
  /// are not widened, so that the order of the arguments does not matter.
  llvm::SmallVector<unsigned, 4> inferred = {};
};

/// Checks a call of Session::functions[callee]. `generics` are the expressions in brackets after
/// the name. `self` is the receiver of a method, else null.
const Expr *checkFunctionCall(ExpressionContext &context, const syntax::CallExpr &call,
                              unsigned callee, ArrayRef<const syntax::Expr *> generics,
                              const Expr *self = nullptr);
/// Returns the default of a parameter. The first call for a callee checks all of its defaults.
/// Returns null if it reports an error.
const Expr *checkedDefault(Session &session, FunctionEntry &callee, unsigned parameter);

} // namespace spl::sema
