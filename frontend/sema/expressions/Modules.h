// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modules gpu, math and math.fast, and the names that they have.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

/// Whether `name` is "gpu" or "math".
bool isModuleName(StringRef name);
/// Whether `expr` is gpu, math or math.fast, and no local hides the name.
bool isModule(Scopes &scopes, const syntax::Expr &expr);
/// Whether `member` is math.fast, which is a module too.
bool isFastModule(const syntax::MemberExpr &member);
/// The row of gpu.name or math.name, or null.
const intrinsics::Row *findIntrinsic(const syntax::MemberExpr &member);
const intrinsics::MemoryRow *findMemory(const syntax::MemberExpr &member);
/// Reports a member that the module does not have, or that cannot be used here.
void reportUnknownMember(Session &session, const syntax::MemberExpr &member,
                         ArrayRef<StringRef> arguments = {});

} // namespace spl::sema
