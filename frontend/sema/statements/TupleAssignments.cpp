// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// (x, a[i]) = e becomes simple statements: the operands of the places go to hidden locals from left
// to right, then the values. Then each place is assigned, from left to right.
#include "frontend/sema/statements/TupleAssignments.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Places.h"
#include "frontend/sema/expressions/Widening.h"

namespace spl::sema {
namespace {

class TupleAssignment {
public:
  explicit TupleAssignment(ExpressionContext &context) : context(context) {}

  void checkPlaces(const syntax::TupleExpr &target);
  void checkValue(const syntax::TupleExpr &target, const syntax::Expr &value);
  /// The statements, or none if an error was reported.
  ArrayRef<const Stmt *> finish();

private:
  void checkOnePlace(const syntax::Expr &target);
  void checkPart(const syntax::Expr &target, const syntax::Expr &value);
  void split(const syntax::TupleExpr &target, const Expr &whole, const std::string &text);
  void splitPart(const syntax::Expr &target, const Expr &part, unsigned number);
  void store(const Expr *place, const Expr *value);
  const Expr *keep(const Expr &value);
  const Expr *keepOperands(const Expr &place);
  const Expr *keepOperand(const Expr &operand);

  ExpressionContext &context;
  llvm::SmallVector<const Stmt *> statements, stores;
  /// By target; null for '_' and for a target with a reported error.
  llvm::DenseMap<const syntax::Expr *, const Expr *> places;
  bool isWrong = false;
};

/// Whether no store can change the value: a constant, an immutable local, or a slice in one.
bool isFixed(const Expr &operand) {
  if (auto *field = llvm::dyn_cast<FieldExpr>(&operand))
    return field->base->type.holdsSlices() && isFixed(*field->base);
  auto *local = llvm::dyn_cast<LocalExpr>(&operand);
  return llvm::isa<ConstantExpr>(operand) || (local && !local->local->isMutable);
}

bool isDiscarded(const syntax::Expr &target) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&target);
  return name && name->name == "_";
}

//===-- Places --===//

void TupleAssignment::checkPlaces(const syntax::TupleExpr &target) {
  for (const syntax::Expr *part : target.elements) {
    if (auto *nested = llvm::dyn_cast<syntax::TupleExpr>(part))
      checkPlaces(*nested);
    else if (!isDiscarded(*part))
      checkOnePlace(*part);
  }
}

void TupleAssignment::checkOnePlace(const syntax::Expr &target) {
  const Expr *place = nullptr;
  if (isUndeclared(context.session, context.scopes, target))
    reportUnknownName(context, static_cast<const syntax::NameExpr &>(target).name, target.range,
                      "; declare it before, with 'var'");
  else
    place = checkPlace(context, target);
  isWrong |= !place;
  places[&target] = place ? keepOperands(*place) : nullptr;
}

/// The place with each operand that the stores could change in a hidden local.
const Expr *TupleAssignment::keepOperands(const Expr &place) {
  switch (place.kind) {
  case Expr::Kind::Index: {
    IndexExpr *copy = context.make(llvm::cast<IndexExpr>(place));
    const bool isSlice = copy->base->type.isSlice();
    copy->base = isSlice ? keepOperand(*copy->base) : keepOperands(*copy->base);
    llvm::SmallVector<const Expr *, 2> indices;
    for (const Expr *index : copy->indices)
      indices.push_back(keepOperand(*index));
    copy->indices = ArrayRef(indices).copy(context.arena);
    return copy;
  }
  case Expr::Kind::Field: {
    FieldExpr *copy = context.make(llvm::cast<FieldExpr>(place));
    copy->base = keepOperands(*copy->base);
    return copy;
  }
  case Expr::Kind::Lane: {
    LaneExpr *copy = context.make(llvm::cast<LaneExpr>(place));
    copy->base = keepOperands(*copy->base);
    copy->index = keepOperand(*copy->index);
    return copy;
  }
  default:
    return &place;
  }
}

const Expr *TupleAssignment::keepOperand(const Expr &operand) {
  return isFixed(operand) ? &operand : keep(operand);
}

const Expr *TupleAssignment::keep(const Expr &value) {
  const Local *local = makeHiddenLocal(context.session, "$part", value.type, value.range);
  statements.push_back(context.make(LetStmt{{value.range}, local, &value}));
  return context.make(LocalExpr{{value.type, value.range}, local});
}

//===-- Values --===//

void TupleAssignment::checkValue(const syntax::TupleExpr &target, const syntax::Expr &value) {
  auto *parts = llvm::dyn_cast<syntax::TupleExpr>(&value);
  if (parts && parts->elements.size() == target.elements.size()) {
    for (auto [place, part] : llvm::zip_equal(target.elements, parts->elements))
      checkPart(*place, *part);
    return;
  }
  const Expr *whole = sema::checkValue(context, value);
  if (whole)
    split(target, *whole, quoted(whole->range));
  isWrong |= !whole;
}

void TupleAssignment::checkPart(const syntax::Expr &target, const syntax::Expr &value) {
  if (auto *nested = llvm::dyn_cast<syntax::TupleExpr>(&target))
    return checkValue(*nested, value);
  const Expr *place = places.lookup(&target);
  const Expr *part =
      place ? checkAs(context, value, place->type) : sema::checkValue(context, value);
  isWrong |= !part;
  if (part)
    store(place, keep(*part));
}

void TupleAssignment::split(const syntax::TupleExpr &target, const Expr &whole,
                            const std::string &text) {
  const Type type = whole.type;
  if (!type.isTuple() || type.elements().size() != target.elements.size()) {
    context.diagnostics.emit(whole.range, diag::TupleCount, text, type.str(),
                             target.elements.size());
    isWrong = true;
  }
  if (isWrong)
    return;
  const Expr *tuple = keep(whole);
  for (auto [number, part] : llvm::enumerate(target.elements))
    splitPart(*part,
              *context.make(FieldExpr{
                  {type.elements()[number], whole.range}, tuple, static_cast<unsigned>(number)}),
              number);
}

void TupleAssignment::splitPart(const syntax::Expr &target, const Expr &part, unsigned number) {
  const std::string text = "element " + std::to_string(number) + " of the tuple";
  if (auto *nested = llvm::dyn_cast<syntax::TupleExpr>(&target))
    return split(*nested, part, text);
  const Expr *place = places.lookup(&target);
  if (!place)
    return;
  const Expr *value = widen(context, &part, place->type);
  if (!(value->type == place->type)) {
    context.diagnostics.emit(target.range, diag::TypeMismatch, text, part.type.str(),
                             place->type.str(), "");
    isWrong = true;
  }
  store(place, value);
}

void TupleAssignment::store(const Expr *place, const Expr *value) {
  if (place)
    stores.push_back(context.make(AssignStmt{{place->range}, place, value}));
}

ArrayRef<const Stmt *> TupleAssignment::finish() {
  if (isWrong)
    return {};
  statements.append(stores);
  return ArrayRef(statements).copy(context.arena);
}

} // namespace

CheckedStmt checkTupleAssign(ExpressionContext &context, const syntax::AssignStmt &stmt) {
  auto &target = llvm::cast<syntax::TupleExpr>(*stmt.target);
  TupleAssignment assignment(context);
  if (stmt.op) {
    context.diagnostics.emit(stmt.opRange, diag::TupleCompound, stmt.opRange.text());
    return {};
  }
  assignment.checkPlaces(target);
  assignment.checkValue(target, *stmt.value);
  return {nullptr, Completion::Continues, assignment.finish()};
}

} // namespace spl::sema
