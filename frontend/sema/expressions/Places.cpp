// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Places.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

static bool requireMutableReference(Session &session, const Local &reference, SourceRange range) {
  if (reference.type.isError())
    return false; // it is reported where it is declared
  if (!reference.type.isMut())
    reportReadOnly(session, LocalExpr{{reference.type, range}, &reference});
  return reference.type.isMut();
}

static bool requireMutable(Session &session, const Symbol &symbol, SourceRange range) {
  if (symbol.local->isReference)
    return requireMutableReference(session, *symbol.local, range);
  StringRef what, hint;
  switch (symbol.kind) {
  case SymbolKind::Var:
    return true;
  case SymbolKind::Val:
    what = "a val";
    hint = "declare it with 'var'";
    break;
  case SymbolKind::Parameter:
    what = "a parameter";
    break;
  case SymbolKind::LoopVariable:
    what = "a loop's variable";
    break;
  }
  const Local &local = *symbol.local;
  std::string text = hint.str();
  if (local.name == "self") // a reserved word
    text =
        "declare it as '&mut self' to change the value of the caller, or write 'var copy = self' "
        "before and assign to that";
  else if (hint.empty())
    text = ("write 'var " + shown(local.name) + " = " + shown(local.name) +
            "' before and assign to that")
               .str();
  session.diagnostics.emit(range, diag::ImmutableAssignment, shown(local.name), what, text)
      .note(local.range, diag::DeclaredHere, shown(local.name));
  return false;
}

static const Expr *checkNamePlace(ExpressionContext &context, const syntax::NameExpr &target) {
  Symbol *symbol = context.scopes.find(target.name);
  if (!symbol) {
    // Otherwise checkName has reported the error.
    if (const Expr *constant = checkName(context, target))
      requireWritable(context, *constant);
    return nullptr;
  }
  const Local &local = *symbol->local;
  if (!requireMutable(context.session, *symbol, target.range)) {
    symbol->isRead = true; // so that the name is not also reported as unused
    return nullptr;
  }
  return local.type.isError() ? nullptr : useLocal(context, local, target.range);
}

/// What is assignable, as the end of an error.
constexpr const char *onlyPlaces =
    "only a 'var', a part of one, or an element of a '&mut' slice is";

const Expr *checkPlace(ExpressionContext &context, const syntax::Expr &target) {
  switch (target.kind) {
  case syntax::Expr::Kind::Name:
    return checkNamePlace(context, static_cast<const syntax::NameExpr &>(target));
  case syntax::Expr::Kind::Index:
  case syntax::Expr::Kind::Member: {
    const Expr *place = checkExpr(context, target);
    return place && requireWritable(context, *place) ? place : nullptr;
  }
  case syntax::Expr::Kind::Int:
  case syntax::Expr::Kind::Float:
  case syntax::Expr::Kind::Bool:
  case syntax::Expr::Kind::Unary:
  case syntax::Expr::Kind::Binary:
  case syntax::Expr::Kind::CompareChain:
  case syntax::Expr::Kind::Conditional:
  case syntax::Expr::Kind::Cast:
  case syntax::Expr::Kind::Call:
  case syntax::Expr::Kind::Range:
  case syntax::Expr::Kind::Array:
  case syntax::Expr::Kind::Comprehension:
  case syntax::Expr::Kind::Tuple:
  case syntax::Expr::Kind::PlaceRef:
  case syntax::Expr::Kind::TypeTest:
  case syntax::Expr::Kind::String:
  case syntax::Expr::Kind::Error:
    if (checkExpr(context, target))
      context.diagnostics.emit(target.range, diag::NotAssignable, quoted(target.range), onlyPlaces);
    return nullptr;
  }
  llvm_unreachable("every kind is handled");
}

/// The base of an element, a field, a lane or a sub-slice; null for other expressions.
static const Expr *baseOf(const Expr *place) {
  if (auto *index = llvm::dyn_cast<IndexExpr>(place))
    return index->base;
  if (auto *field = llvm::dyn_cast<FieldExpr>(place))
    return field->base;
  if (auto *lane = llvm::dyn_cast<LaneExpr>(place))
    return lane->base;
  if (auto *part = llvm::dyn_cast<SubsliceExpr>(place))
    return part->base;
  return nullptr;
}

const Expr *wholeOf(const Expr *place) {
  for (const Expr *base; !place->type.isSlice() && (base = baseOf(place));)
    place = base;
  return place;
}

/// Whether the place is a slice in a struct or an array, and not a part of another slice.
static bool isHeldSlice(const Expr &place) {
  const Expr *base = place.type.isSlice() ? baseOf(&place) : nullptr;
  return base && base->type.holdsSlices();
}

const Expr *holderOf(const Expr *place) {
  return wholeOf(isHeldSlice(*place) ? baseOf(place) : place);
}

const Expr *rootOf(const Expr *place) {
  for (const Expr *base; !isHeldSlice(*place) && (base = baseOf(place));)
    place = base;
  return place;
}

bool isWritable(const Expr &place) {
  const Expr *whole = wholeOf(&place);
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  return whole->type.isSlice() ? whole->type.isMut() : local && local->local->isMutable;
}

/// The end of the error on a place without an element: for 'out[y]' of a slice with more axes, how
/// an element is written.
static std::string elementHint(const Expr &place) {
  auto *row = llvm::dyn_cast<IndexExpr>(&place);
  StringRef text = shortText(place.range);
  if (!row || !row->base->type.isSlice() || !place.type.isSlice() || !text.consume_back("]"))
    return onlyPlaces;
  static constexpr StringRef others[] = {", x", ", y, x", ", z, y, x"};
  const unsigned missing = place.type.rank();
  return (quoted(row->base->range) + " has " + std::to_string(row->base->type.rank()) +
          " axes, and an element is '" + text + others[missing - 1] + "]'")
      .str();
}

// A part is writable if the whole is writable. An element of a slice is writable if the slice is
// writable.
bool requireWritable(ExpressionContext &context, const Expr &place) {
  const bool isHeld = isHeldSlice(place);
  const Expr *whole = holderOf(&place);
  if (whole->type.isSlice() && whole != &place) {
    if (!whole->type.isMut())
      reportReadOnly(context.session, *whole);
    return whole->type.isMut();
  }
  auto *local = llvm::dyn_cast<LocalExpr>(whole);
  Symbol *symbol = local ? context.scopes.find(local->local->name) : nullptr;
  if (symbol && (isHeld || !place.type.isSlice()))
    return requireMutable(context.session, *symbol, place.range);
  context.diagnostics.emit(place.range, diag::NotAssignable, quoted(place.range),
                           elementHint(place));
  return false;
}

void reportReadOnly(Session &session, const Expr &slice) {
  auto *local = llvm::dyn_cast<LocalExpr>(&slice);
  const Type element = slice.type.element();
  const bool isReference = local && local->local->isReference;
  const std::string writable = isReference
                                   ? "&mut " + element.str()
                                   : session.types.slice(element, true, slice.type.rank()).str();
  diag::Builder message =
      session.diagnostics.emit(slice.range, diag::ReadOnlySlice, quoted(slice.range), writable,
                               isReference ? "to it" : "its elements");
  if (local)
    message.note(local->local->range, diag::DeclaredHere, shown(local->local->name));
}

} // namespace spl::sema
