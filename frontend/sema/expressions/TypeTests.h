// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `T is Float`: tests of types, which are decided when the program is compiled. What the test
// excludes is not checked, so that it may fit other types only.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

/// Checks a test of a type as a value, a constant.
const Expr *checkTypeTest(ExpressionContext &context, const syntax::TypeTestExpr &expr);

/// The value of a condition that tests of types decide: a test, or `not`, `and` and `or` of tests.
/// Empty for other conditions and for wrong tests. Reports nothing.
std::optional<bool> decidedByTypes(ExpressionContext &context, const syntax::Expr &condition);

/// Skips text that is not checked. The names in it count as used.
void skip(ExpressionContext &context, SourceRange text);

} // namespace spl::sema
