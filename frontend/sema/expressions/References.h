// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments for parameters that are references. All functions return null if they report an error.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks &place or &mut place as the argument for a parameter of `callee`. `place` is the type to
/// which the parameter refers, or null if the argument determines it.
const ReferenceExpr *checkReference(ExpressionContext &context, const syntax::Expr &argument,
                                    const FunctionEntry &callee, const syntax::Parameter &parameter,
                                    Type place);
/// Requires that a reference has the type of its parameter. Reports it if not.
bool requireReferenceTo(Session &session, const ReferenceExpr &reference, Type expected);
/// Makes a reference to a checked place. A reference that is not `isMut` may refer to any value.
const ReferenceExpr *makeReference(ExpressionContext &context, const Expr &place, bool isMut,
                                   SourceRange range);
/// Reports & where neither an atomic nor a reference takes it.
const Expr *reportPlaceRef(ExpressionContext &context, const syntax::PlaceRefExpr &expr);

} // namespace spl::sema
