// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments and compound assignments.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Returns null if it reports an error.
const Stmt *checkAssign(ExpressionContext &context, const syntax::AssignStmt &stmt);

} // namespace spl::sema
