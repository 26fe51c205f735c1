// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports arguments of one call that alias: slices that share elements, at least one of them
// writable.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// The initial values of the vals that are or hold slices.
using SliceVals = llvm::DenseMap<const Local *, const Expr *>;

/// Reports arguments that certainly overlap. Overlaps that are known only at run time are not
/// reported, because functions are compiled for slices that may overlap.
void requireDisjoint(Session &session, const SliceVals &vals, const FunctionEntry &callee,
                     ArrayRef<const Expr *> arguments);

} // namespace spl::sema
