// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes that explain a mismatch of types by the literal from which a local has its type.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Adds a note at that literal, if `expr` has its type from a local that was declared without a
/// type. `wanted` is the other type of the mismatch; it may be null.
void noteLiteral(diag::Builder &message, const Expr &expr, Type wanted);

} // namespace spl::sema
