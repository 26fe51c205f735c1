// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the gpu.* names that work on memory (intrinsics/Memory.def): shared arrays, atomics,
// loads and stores with hints, wide accesses.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// `brackets` are the expressions in brackets after the name, if any.
const Expr *checkMemoryCall(ExpressionContext &context, const syntax::CallExpr &call,
                            const intrinsics::MemoryRow &row,
                            ArrayRef<const syntax::Expr *> brackets);

} // namespace spl::sema
