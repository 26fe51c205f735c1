// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes that explain a mismatch of types by the literal or the declaration from which a local or a
// constant has its type.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Adds a note at that literal, if `expr` has its type from a local that was declared without a
/// type, or at the declaration of an integer constant that could have the type `wanted`. `wanted`
/// is the other type of the mismatch; it may be null.
void noteLiteral(Session &session, diag::Builder &message, const Expr &expr, Type wanted);
/// Whether the type can represent the value of an integer constant.
bool fitsIn(const ConstantExpr &constant, Type type);

} // namespace spl::sema
