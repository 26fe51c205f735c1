// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values made of parts: vectors, structs, arrays and tuples.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Makes a vector whose lanes are all the scalar.
const Expr *makeSplat(Session &session, const Expr *scalar, Type vector);
/// f32x4(a, b, c, d) and f32x4(a).
const Expr *checkVectorCall(ExpressionContext &context, const syntax::CallExpr &call, Type type);
/// Particle(p, mass: 2.0): fields in order, then by name. A field with a default may be omitted.
const Expr *checkStructCall(ExpressionContext &context, const syntax::CallExpr &call, Type type);
/// Pair(x, y) and Pair[f32](x, y) of a generic struct. `brackets` are the first generic arguments.
/// `expected`, which may be null, or the values determine the others.
const Expr *checkGenericStructCall(ExpressionContext &context, const syntax::CallExpr &call,
                                   GenericStruct &generic, ArrayRef<const syntax::Expr *> brackets,
                                   Type expected);
/// [a, b] and [a; n]. All elements have one type: the expected type, or that of the first element
/// that is not a literal. `expected` may be null.
const Expr *checkArray(ExpressionContext &context, const syntax::ArrayExpr &expr, Type expected);
/// (a, b). `expected` may be null.
/// Checks [x for i in a..b]. Its elements are constants.
const Expr *checkComprehension(ExpressionContext &context, const syntax::ComprehensionExpr &expr,
                               Type expected);
const Expr *checkTuple(ExpressionContext &context, const syntax::TupleExpr &expr, Type expected);

} // namespace spl::sema
