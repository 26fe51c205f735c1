// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places: expressions that can be assigned to. A place is a local, an element of a slice, or an
// element, a field or a lane of a place.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks the target of an assignment. Assigning to a name does not count as reading it.
const Expr *checkPlace(ExpressionContext &context, const syntax::Expr &target);
/// Whether a checked expression may be assigned to.
bool isWritable(const Expr &place);
/// Reports an expression that may not be assigned to. Returns false if it reports one.
bool requireWritable(ExpressionContext &context, const Expr &place);
/// Reports a read-only slice. The message has the type with which the slice is writable.
void reportReadOnly(Session &session, const Expr &slice);

/// Returns the slice, the local or the temporary of which a place is a part.
const Expr *wholeOf(const Expr *place);
/// As wholeOf; of a slice in a struct or an array, the local or the temporary that has it as a
/// part.
const Expr *holderOf(const Expr *place);
/// As wholeOf, but follows slices that are parts of other slices. It ends at a slice in a struct or
/// an array.
const Expr *rootOf(const Expr *place);

} // namespace spl::sema
