// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x.name: fields, elements of tuples, lanes of vectors, members of enums and names of modules.
#pragma once

#include "frontend/sema/expressions/ExpressionContext.h"

namespace spl::sema {

const Expr *checkMember(ExpressionContext &context, const syntax::MemberExpr &expr, Type expected);
/// Checks a field, an element or a lane of a checked value. Reports any other name.
const Expr *checkMemberOf(Session &session, const syntax::MemberExpr &expr, const Expr &base);
/// Reports 'blockIdx.x * blockDim.x + threadIdx.x', also with the names of Mojo, as one error.
/// Returns false for other sums.
bool reportForeignGlobalId(ExpressionContext &context, const syntax::BinaryExpr &sum);
/// Whether the type is a struct with a method of that name.
bool hasMethod(Session &session, Type type, StringRef name);
/// Returns the method `name` of the type as an index into Session::functions, or nothing.
std::optional<unsigned> methodOf(Session &session, Type type, StringRef name);

} // namespace spl::sema
