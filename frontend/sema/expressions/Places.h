// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places: what can be assigned to. A place is a local, or an element, a field or a lane of a place;
// an element of a slice is one too.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// The target of an assignment. Assigning to a name does not read it.
const Expr *checkPlace(ExpressionContext &context, const syntax::Expr &target);
/// Whether a checked expression may be assigned to.
bool isWritable(const Expr &place);
/// Reports an expression that may not be assigned to. Returns false if it did.
bool requireWritable(ExpressionContext &context, const Expr &place);
/// Reports a slice that is read-only, with the type that it needs.
void reportReadOnly(Session &session, const Expr &slice);

/// The slice, the local or the temporary that a place is a part of.
const Expr *wholeOf(const Expr *place);
/// As wholeOf, and looks through slices that are parts of other slices.
const Expr *rootOf(const Expr *place);

} // namespace spl::sema
