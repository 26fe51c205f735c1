// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert, and the values in their texts.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Returns null if it reports an error.
const Stmt *checkPrint(ExpressionContext &context, const syntax::PrintStmt &stmt);
const Stmt *checkAssert(ExpressionContext &context, const syntax::AssertStmt &stmt);

} // namespace spl::sema
