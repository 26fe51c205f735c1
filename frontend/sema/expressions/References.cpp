// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/References.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Places.h"

namespace spl::sema {

static std::string referenceText(bool isMut, StringRef to) {
  return ((isMut ? "&mut " : "&") + to).str();
}

/// Reports an argument without its '&', or with the wrong one.
static void reportUnmarked(ExpressionContext &context, const syntax::Expr &argument,
                           const syntax::Expr &place, const FunctionEntry &callee,
                           const syntax::Parameter &parameter) {
  if (!checkValue(context, place)) // reports what else is wrong with it
    return;
  const StringRef text = shortText(place.range);
  const std::string fix =
      referenceText(parameter.type->isMut, text.empty() ? StringRef("place") : text);
  diag::Builder message =
      context.diagnostics.emit(argument.range, diag::ReferenceArgument, shown(parameter.name.name),
                               shown(callee.writtenName()), fix);
  message.note(callee.function->range, diag::DeclaredHere, shown(callee.writtenName()));
  if (!text.empty())
    message.fix(fix);
}

const ReferenceExpr *checkReference(ExpressionContext &context, const syntax::Expr &argument,
                                    const FunctionEntry &callee, const syntax::Parameter &parameter,
                                    Type place) {
  const bool isMut = parameter.type->isMut;
  auto *written = llvm::dyn_cast<syntax::PlaceRefExpr>(&argument);
  if (!written || written->isMut != isMut) {
    reportUnmarked(context, argument, written ? *written->place : argument, callee, parameter);
    return nullptr;
  }
  const Expr *to = checkValue(context, *written->place, place);
  return to ? makeReference(context, *to, isMut, argument.range) : nullptr;
}

bool requireReferenceTo(Session &session, const ReferenceExpr &reference, Type expected) {
  if (reference.type == expected)
    return true;
  const Expr &place = *reference.place;
  session.diagnostics.emit(place.range, diag::TypeMismatch, quoted(place.range), place.type.str(),
                           referenceText(expected.isMut(), expected.element().str()), "");
  return false;
}

const ReferenceExpr *makeReference(ExpressionContext &context, const Expr &place, bool isMut,
                                   SourceRange range) {
  if (place.type.isSlice()) {
    context.diagnostics.emit(range, diag::PlaceReference, "slices are passed by name");
    return nullptr;
  }
  if (!place.type.isTuple() &&
      !context.session.requireHeld(place.type, place.range, "a reference", "pass it by value"))
    return nullptr;
  if (isMut && !requireWritable(context, place))
    return nullptr;
  auto *local = llvm::dyn_cast<LocalExpr>(rootOf(&place));
  if (isMut && local && !local->type.isSlice())
    context.entry.function->referenced.insert(local->local);
  return context.make(ReferenceExpr{{context.types.slice(place.type, isMut, 1), range}, &place});
}

const Expr *reportPlaceRef(ExpressionContext &context, const syntax::PlaceRefExpr &expr) {
  const Expr *place = checkExpr(context, *expr.place);
  const bool isSlice = place && (place->type.isSlice() || place->type.isArray());
  const std::string text = shortText(expr.place->range).str();
  std::string hint = isSlice ? "slices are passed by name" : "values are copied";
  if (!text.empty())
    hint += ": write '" + text + "'";
  diag::Builder message = context.diagnostics.emit(expr.range, diag::PlaceReference, hint);
  if (!text.empty())
    message.fix(text);
  return nullptr;
}

} // namespace spl::sema
