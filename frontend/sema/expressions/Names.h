// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in bodies: declares locals, resolves names, and reports names that are unknown or unused.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

struct ExpressionContext;

/// Decides which names are reported. After a syntax error it is not known whether some names are
/// unused or unknown.
struct NameReports {
  bool isBroken = false; ///< a part was not parsed, so it is not known which names it reads
  /// A statement was not parsed, so it is not known which names it declares.
  bool lostStatement = false;
  /// Names that are reported already; each unknown name is reported once.
  llvm::DenseSet<StringRef> unknown = {};
};

/// Declares a local in the innermost block. `value` is its initial value, or null. `literal` is the
/// place of the literals from which it has its type, if there are any. If the name is taken,
/// reports it, and the local gets the error type, so that its uses are not reported.
const Local *declareLocal(ExpressionContext &context, const syntax::Identifier &name, Type type,
                          SymbolKind kind, const Expr *value, SourceRange literal = {});
/// As declareLocal, for the name of a place in shared memory. `type` is the slice of that place.
const Local *declareReference(ExpressionContext &context, const syntax::Identifier &name,
                              Type type);
/// Makes a local to which no name of the source refers.
const Local *makeHiddenLocal(Session &session, StringRef name, Type type, SourceRange range);
/// Leaves the innermost block, and reports its locals that were not used.
void leaveScope(ExpressionContext &context);

/// Returns the symbol of the local called `name`, or null. Marks it as read.
Symbol *lookUp(Scopes &scopes, StringRef name);
/// Returns the struct, enum or vector that an expression names, or null. A local of that name hides
/// a type.
Type typeNamed(Session &session, Scopes &scopes, const syntax::Expr &expr);
/// The same for every type with a name, also a scalar or a generic parameter.
Type namedType(ExpressionContext &context, const syntax::Expr &expr);
/// Makes the use of a local. Of a reference it is the place to which that refers.
const Expr *useLocal(ExpressionContext &context, const Local &local, SourceRange range);
/// Checks a name as a value: a local or a constant.
const Expr *checkName(ExpressionContext &context, const syntax::NameExpr &expr);
/// Whether `expr` is a name that is not declared.
bool isUndeclared(Session &session, Scopes &scopes, const syntax::Expr &expr);

/// Reports an unknown name, once for each name. `otherwise` is the hint if no known name is
/// similar.
void reportUnknownName(ExpressionContext &context, StringRef name, SourceRange range,
                       StringRef otherwise = {});
/// The end of the message about an expression that is no constant. If the expression is the name of
/// a local, it says how to declare a constant instead. Otherwise it says which constants there are.
std::string constantHint(ExpressionContext &context, const syntax::Expr &expr);
/// Returns "; write 'self.name'" in a method whose struct has such a field, or such a method if the
/// name is called. Otherwise returns an empty text.
std::string selfHint(Session &session, const FunctionEntry &entry, StringRef name, bool isCalled);

} // namespace spl::sema
