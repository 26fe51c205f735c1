// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes that explain a mismatch of types: they show the literal or the declaration that gives a
// local or a constant its type.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Adds a note to the message of a mismatch between the type of `expr` and `wanted`, which may be
/// null:
/// - at the literal, if `expr` has its type from a local that was declared without a type
/// - at the declaration, if `expr` has its type from an integer constant that fits in `wanted`
void noteLiteral(Session &session, diag::Builder &message, const Expr &expr, Type wanted);
/// Whether the type can represent the value of an integer constant.
bool fitsIn(const ConstantExpr &constant, Type type);

} // namespace spl::sema
