// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments and compound assignments.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {

// y = 3, of a name that nothing has
bool BodyChecker::isUndeclared(const syntax::Expr &target) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&target);
  return name && !scopes.find(name->name) && !session.bound(name->name) &&
         !session.names->items.contains(name->name) &&
         !session.names->skipped.contains(name->name) && !isTypeName(name->name) &&
         !isModuleName(name->name);
}

const Stmt *BodyChecker::checkAssign(const syntax::AssignStmt &stmt) {
  if (isUndeclared(*stmt.target)) {
    StringRef name = static_cast<const syntax::NameExpr &>(*stmt.target).name;
    StringRef value = stmt.value->range.text();
    bool isShort = !stmt.op && value.size() <= 40 && !value.contains('\n');
    reportUnknownName(name, stmt.target->range,
                      isShort
                          ? ("; declare it with 'var " + shown(name) + " = " + value + "'").str()
                          : std::string("; 'val' or 'var' declares one"));
    check(*stmt.value); // for its own mistakes
    return nullptr;
  }
  const Expr *place = checkPlace(*stmt.target);
  if (!place) {
    check(*stmt.value); // for its own mistakes
    return nullptr;
  }
  if (!stmt.op) {
    const Expr *value = checkAs(*stmt.value, place->type);
    return value ? make(AssignStmt{{stmt.range}, place, value}) : nullptr;
  }
  // A shift's count has a type of its own.
  bool isShift = syntax::isShift(*stmt.op);
  const Expr *operand = checkValue(*stmt.value, isShift ? Type() : place->type);
  const Expr *before = make(PlaceValueExpr{{place->type, place->range}});
  const Expr *value = combine(*stmt.op, place->range.to(stmt.value->range), before, operand);
  if (value && !(value->type == place->type)) { // a vector beside a scalar place
    reportMismatch(*stmt.op, *before, *operand);
    return nullptr;
  }
  return value ? make(AssignStmt{{stmt.range}, place, value}) : nullptr;
}

} // namespace spl::sema
