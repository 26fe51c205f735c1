// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of literals. A literal that its type cannot hold is reported.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

const Expr *makeConstant(Session &session, Type type, SourceRange range, llvm::APInt value);
const Expr *makeConstant(Session &session, Type type, SourceRange range,
                         const llvm::APFloat &value);
/// A literal in the type of its suffix, or in the type that is expected.
const Expr *checkLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                         SourceRange range, Type expected);
/// `literal as to`. A literal without a suffix is converted in one step: 0.017 as f64 was never an
/// f32.
const Expr *castLiteral(Session &session, const syntax::Expr &literal, bool isNegative,
                        SourceRange range, Type to);

} // namespace spl::sema
