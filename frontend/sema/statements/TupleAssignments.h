// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments of tuples to places: (x, a[i]) = e.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"
#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

/// Checks an assignment whose target is a tuple.
CheckedStmt checkTupleAssign(ExpressionContext &context, const syntax::AssignStmt &stmt);

} // namespace spl::sema
