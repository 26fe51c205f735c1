// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Assignments.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Operators.h"
#include "frontend/sema/expressions/Places.h"

namespace spl::sema {

const Stmt *checkAssign(ExpressionContext &context, const syntax::AssignStmt &stmt) {
  if (isUndeclared(context.session, context.scopes, *stmt.target)) {
    StringRef name = static_cast<const syntax::NameExpr &>(*stmt.target).name;
    StringRef value = stmt.value->range.text();
    bool isShort = !stmt.op && value.size() <= 40 && !value.contains('\n');
    reportUnknownName(context, name, stmt.target->range,
                      isShort
                          ? ("; declare it with 'var " + shown(name) + " = " + value + "'").str()
                          : std::string("; declare it with 'val' or 'var'"));
    checkExpr(context, *stmt.value); // for errors of its own
    return nullptr;
  }
  const Expr *place = checkPlace(context, *stmt.target);
  if (!place) {
    checkExpr(context, *stmt.value); // for errors of its own
    return nullptr;
  }
  if (!stmt.op) {
    const Expr *value = checkValue(context, *stmt.value, place->type);
    if (value)
      value = convert(context, value, place->type, place);
    return value ? context.make(AssignStmt{{stmt.range}, place, value}) : nullptr;
  }
  // The count of a shift has a type of its own.
  bool isShift = syntax::isShift(*stmt.op);
  const Expr *operand = checkValue(context, *stmt.value, isShift ? Type() : place->type);
  auto *local = llvm::dyn_cast<LocalExpr>(place);
  const Expr *before =
      context.make(PlaceValueExpr{{place->type, place->range}, local ? local->local : nullptr});
  const Expr *value =
      combineOperands(context, *stmt.op, place->range.to(stmt.value->range), before, operand);
  if (value && !(value->type == place->type)) { // the value is a vector and the place is a scalar
    reportMismatch(context.session, *stmt.op, *before, *operand);
    return nullptr;
  }
  return value ? context.make(AssignStmt{{stmt.range}, place, value}) : nullptr;
}

} // namespace spl::sema
