// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of one call that alias: slices that share elements, one of them to be written through.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// The slices that vals were declared as.
using SliceVals = llvm::DenseMap<const Local *, const Expr *>;

/// Reports arguments that overlap for certain. What is known only at run time passes: functions are
/// compiled for slices that overlap.
void requireDisjoint(Session &session, const SliceVals &vals, const FunctionEntry &callee,
                     ArrayRef<const Expr *> arguments);

} // namespace spl::sema
