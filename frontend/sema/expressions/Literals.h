// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of literals. Reports a literal that does not fit its type.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

const Expr *makeConstant(Session &session, Type type, SourceRange range, llvm::APInt value);
const Expr *makeConstant(Session &session, Type type, SourceRange range,
                         const llvm::APFloat &value);
/// Makes a constant of a literal in the type of its suffix, or in the expected type.
const Expr *checkLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                         SourceRange range, Type expected);
/// Checks `literal as to`. A literal without a suffix is converted directly: 0.017 as f64 is not
/// first rounded to f32.
const Expr *castLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                        SourceRange range, Type to);

} // namespace spl::sema
