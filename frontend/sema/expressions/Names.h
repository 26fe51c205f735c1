// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in bodies: declares locals, finds what a name means, and reports names that are unknown or
// unused.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

struct ExpressionContext;

/// Which names are still reported. After a syntax error some names are not known to be unused or
/// unknown.
struct NameReports {
  bool isBroken = false;      ///< a part was not parsed: names that it reads are not known
  bool lostStatement = false; ///< a statement was not parsed: names that it declares are not known
  llvm::DenseSet<StringRef> unknown = {}; ///< reported; each unknown name is one error
};

/// Declares a local in the innermost block. value is what it is declared as, or null. A name that
/// is taken is reported, and its local has the error type, so that its uses are not judged.
const Local *declareLocal(ExpressionContext &context, const syntax::Identifier &name, Type type,
                          SymbolKind kind, const Expr *value);
/// A local that no name of the source means.
const Local *makeHiddenLocal(Session &session, StringRef name, Type type, SourceRange range);
/// Leaves the innermost block, and reports its locals that were not used.
void leaveScope(ExpressionContext &context);

/// The symbol of the local that a name means, or null. Marks it as read.
Symbol *lookUp(Scopes &scopes, StringRef name);
/// The type that an expression names, or null. A local of that name hides it.
Type typeNamed(ExpressionContext &context, const syntax::Expr &expr);
/// The value of a local or a constant.
const Expr *checkName(ExpressionContext &context, const syntax::NameExpr &expr);
/// Whether it is a name that nothing declares.
bool isUndeclared(ExpressionContext &context, const syntax::Expr &expr);

/// Reports an unknown name, once. otherwise: the hint if no known name is similar.
void reportUnknownName(ExpressionContext &context, StringRef name, SourceRange range,
                       StringRef otherwise = {});
/// "; write 'self.name'" if the method's struct has such a field, or such a method if it is called.
std::string selfHint(ExpressionContext &context, StringRef name, bool isCalled);

} // namespace spl::sema
