// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments and compound assignments.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Null: an error is reported.
const Stmt *checkAssign(ExpressionContext &context, const syntax::AssignStmt &stmt);

} // namespace spl::sema
