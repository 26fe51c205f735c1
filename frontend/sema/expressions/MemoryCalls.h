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

/// The expression as a call gpu.shared[T]() without extents, or null.
const syntax::CallExpr *sharedPlaceCall(Scopes &scopes, const syntax::Expr &expr);
/// Checks such a call. Returns a shared array of one element.
const Expr *checkSharedPlace(ExpressionContext &context, const syntax::CallExpr &call);

} // namespace spl::sema
