// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/lifetimes/SliceViews.h"
#include "llvm/Support/ErrorHandling.h"

namespace spl::sema {

const Expr &withoutCast(const Expr &slice) {
  auto *cast = llvm::dyn_cast<CastExpr>(&slice);
  return cast ? *cast->operand : slice;
}

//===-- What a slice views --===//

Views ViewFinder::viewsOf(const Expr &place) {
  constexpr size_t limit = 32; // each conditional in a chain may double the number of views
  Views views;
  switch (place.kind) {
  case Expr::Kind::Local:
    return viewsOfLocal(*llvm::cast<LocalExpr>(place).local);
  case Expr::Kind::Cast:
    return viewsOf(*llvm::cast<CastExpr>(place).operand);
  case Expr::Kind::Reference:
    return viewsOf(*llvm::cast<ReferenceExpr>(place).place);
  case Expr::Kind::Conditional: {
    auto &choice = llvm::cast<ConditionalExpr>(place);
    views = viewsOf(*choice.then);
    views.append(viewsOf(*choice.other));
    return views.size() > limit ? Views{View()} : views;
  }
  case Expr::Kind::Index: {
    auto &index = llvm::cast<IndexExpr>(place);
    if (const Expr *part = partOf(*index.base, bound(*index.indices.front())))
      return viewsOf(*part);
    views = viewsOf(*index.base);
    for (const Expr *each : index.indices)
      take(views, {Step::Kind::Element, bound(*each)});
    return views;
  }
  case Expr::Kind::Field: {
    auto &field = llvm::cast<FieldExpr>(place);
    if (const Expr *part = partOf(*field.base, Linear{nullptr, field.field}))
      return viewsOf(*part);
    views = viewsOf(*field.base);
    take(views, {Step::Kind::Element, Linear{nullptr, field.field}});
    return views;
  }
  case Expr::Kind::Subslice:
    return viewsOfPart(llvm::cast<SubsliceExpr>(place));
  // Results of calls, memory without a name, and expressions that are no places.
  case Expr::Kind::Constant:
  case Expr::Kind::PlaceValue:
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Logical:
  case Expr::Kind::CompareChain:
  case Expr::Kind::Fma:
  case Expr::Kind::Lane:
  case Expr::Kind::Extent:
  case Expr::Kind::Intrinsic:
  case Expr::Kind::Atomic:
  case Expr::Kind::Shared:
  case Expr::Kind::SharedDyn:
  case Expr::Kind::Access:
  case Expr::Kind::Call:
  case Expr::Kind::Build:
  case Expr::Kind::ConstantData:
    return {View()};
  }
  llvm_unreachable("every kind is above");
}

Views ViewFinder::viewsOfLocal(const Local &local) {
  // A val whose value has several views is replaced only for alwaysOverlap, because the choice may
  // be known only at run time.
  if (const Expr *value = vals ? vals->lookup(&local) : nullptr)
    if (Views views = viewsOf(*value); views.size() == 1 || hasAllChoices)
      return views;
  // A var may have had another slice when the val was declared.
  const bool isView = local.type.isSlice() || local.type.holdsSlices();
  const bool isKnown = !vals || !isView || !local.isMutable;
  return {View{isKnown ? &local : nullptr}};
}

Views ViewFinder::viewsOfPart(const SubsliceExpr &part) {
  Views views = viewsOf(*part.base);
  const Bound from = part.from ? bound(*part.from) : Linear{nullptr, 0};
  const Type base = withoutCast(*part.base).type;
  if (part.to)
    take(views, {Step::Kind::Range, from, bound(*part.to)});
  else if (base.isArray()) // an explicit end, so that a part that begins there is empty
    take(views, {Step::Kind::Range, from, Linear{nullptr, static_cast<int64_t>(base.length())}});
  else if (!isEndOf(from, *part.base)) // a part that begins at the end is empty, overlaps nothing
    take(views, {Step::Kind::Rest, from});
  else
    views = {View()};
  return views;
}

// The value that a part of a struct or an array of slices was built from, or null if it is not
// known.
const Expr *ViewFinder::partOf(const Expr &whole, const Bound &part) {
  if (!whole.type.holdsSlices() || !part || part->symbol)
    return nullptr;
  auto *build = llvm::dyn_cast_or_null<BuildExpr>(builtFrom(whole));
  if (!build || part->offset < 0)
    return nullptr;
  if (build->parts.size() == 1)
    return build->parts.front();
  return uint64_t(part->offset) < build->parts.size() ? build->parts[part->offset] : nullptr;
}

const Expr *ViewFinder::builtFrom(const Expr &place) {
  if (auto *local = llvm::dyn_cast<LocalExpr>(&place)) {
    const Expr *value = vals ? vals->lookup(local->local) : nullptr;
    return value ? builtFrom(*value) : nullptr;
  }
  const Expr *part = nullptr;
  if (auto *field = llvm::dyn_cast<FieldExpr>(&place))
    part = partOf(*field->base, Linear{nullptr, field->field});
  else if (auto *index = llvm::dyn_cast<IndexExpr>(&place))
    part = partOf(*index->base, bound(*index->indices.front()));
  else
    return &place;
  return part ? builtFrom(*part) : nullptr;
}

// Adds a step to views. A range of a range, or an element of a range, is combined with the outer
// range.
void ViewFinder::take(Views &views, const Step &step) {
  for (View &view : views) {
    Step taken = step;
    if (!view.steps.empty() && view.steps.back().kind != Step::Kind::Element) {
      Step outer = view.steps.pop_back_val();
      taken.from = sum(outer.from, step.from);
      taken.to = sum(outer.from, step.to);
      if (step.kind == Step::Kind::Rest && outer.kind == Step::Kind::Range)
        taken = {Step::Kind::Range, taken.from, outer.to};
    }
    if (isEmpty(taken))
      view = View();
    else
      view.steps.push_back(taken);
  }
}

//===-- Indices --===//

Bound ViewFinder::bound(const Expr &index) {
  if (const ConstantExpr *known = session.knownInteger(index))
    return Linear{nullptr, index.type.isSignedInt() ? known->intValue.getSExtValue()
                                                    : int64_t(known->intValue.getZExtValue())};
  auto *binary = llvm::dyn_cast<BinaryExpr>(&index);
  if (binary && index.type.isSignedInt() && index.type.bits() == 64 &&
      binary->op == syntax::BinaryOp::Add)
    if (Bound whole = sum(bound(*binary->lhs), bound(*binary->rhs)))
      return whole;
  return Linear{&index, 0};
}

Bound ViewFinder::sum(const Bound &a, const Bound &b) {
  if (!a || !b || (a->symbol && b->symbol))
    return std::nullopt;
  // An offset that wraps is out of bounds anyway.
  return Linear{a->symbol ? a->symbol : b->symbol,
                int64_t(uint64_t(a->offset) + uint64_t(b->offset))};
}

std::optional<int64_t> ViewFinder::distance(const Bound &a, const Bound &b) {
  if (!a || !b || !isSame(a->symbol, b->symbol))
    return std::nullopt;
  return int64_t(uint64_t(a->offset) - uint64_t(b->offset));
}

// Whether both expressions certainly compute the same value. A var may have had another value when
// a val was declared.
bool ViewFinder::isSame(const Expr *a, const Expr *b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || !(a->type == b->type))
    return false;
  switch (a->kind) {
  case Expr::Kind::Constant:
    return a->type.isInt() &&
           llvm::cast<ConstantExpr>(a)->intValue == llvm::cast<ConstantExpr>(b)->intValue;
  case Expr::Kind::Local: {
    const Local *local = llvm::cast<LocalExpr>(a)->local;
    return local == llvm::cast<LocalExpr>(b)->local && (!vals || !local->isMutable);
  }
  case Expr::Kind::Cast:
    return isSame(llvm::cast<CastExpr>(a)->operand, llvm::cast<CastExpr>(b)->operand);
  case Expr::Kind::Unary:
    return llvm::cast<UnaryExpr>(a)->op == llvm::cast<UnaryExpr>(b)->op &&
           isSame(llvm::cast<UnaryExpr>(a)->operand, llvm::cast<UnaryExpr>(b)->operand);
  case Expr::Kind::Binary:
    return llvm::cast<BinaryExpr>(a)->op == llvm::cast<BinaryExpr>(b)->op &&
           isSame(llvm::cast<BinaryExpr>(a)->lhs, llvm::cast<BinaryExpr>(b)->lhs) &&
           isSame(llvm::cast<BinaryExpr>(a)->rhs, llvm::cast<BinaryExpr>(b)->rhs);
  case Expr::Kind::Extent:
    return llvm::cast<ExtentExpr>(a)->axis == llvm::cast<ExtentExpr>(b)->axis &&
           isSame(llvm::cast<ExtentExpr>(a)->slice, llvm::cast<ExtentExpr>(b)->slice);
  case Expr::Kind::Conditional:
    return isSame(llvm::cast<ConditionalExpr>(a)->condition,
                  llvm::cast<ConditionalExpr>(b)->condition) &&
           isSame(llvm::cast<ConditionalExpr>(a)->then, llvm::cast<ConditionalExpr>(b)->then) &&
           isSame(llvm::cast<ConditionalExpr>(a)->other, llvm::cast<ConditionalExpr>(b)->other);
  // Expressions whose value may differ each time, and expressions that rarely are indices.
  case Expr::Kind::PlaceValue:
  case Expr::Kind::Logical:
  case Expr::Kind::CompareChain:
  case Expr::Kind::Fma:
  case Expr::Kind::Index:
  case Expr::Kind::Subslice:
  case Expr::Kind::Reference:
  case Expr::Kind::Field:
  case Expr::Kind::Lane:
  case Expr::Kind::Intrinsic:
  case Expr::Kind::Atomic:
  case Expr::Kind::Shared:
  case Expr::Kind::SharedDyn:
  case Expr::Kind::Access:
  case Expr::Kind::Call:
  case Expr::Kind::Build:
  case Expr::Kind::ConstantData:
    return false;
  }
  llvm_unreachable("every kind is above");
}

//===-- Overlap --===//

bool ViewFinder::isEmpty(const Step &step) {
  std::optional<int64_t> length =
      step.kind == Step::Kind::Range ? distance(step.to, step.from) : std::nullopt;
  return length && *length <= 0;
}

bool ViewFinder::isEndOf(const Bound &index, const Expr &slice) {
  auto *extent = index ? llvm::dyn_cast_or_null<ExtentExpr>(index->symbol) : nullptr;
  return extent && index->offset >= 0 && isSame(extent->slice, &slice);
}

// Whether `a` starts before the end of `b`. Neither range is empty.
bool ViewFinder::startsBeforeEnd(const Step &a, const Step &b) {
  std::optional<int64_t> behind = distance(a.from, b.from);
  if (b.kind == Step::Kind::Rest || (behind && *behind <= 0))
    return true;
  std::optional<int64_t> before = distance(b.to, a.from);
  return before && *before > 0;
}

bool ViewFinder::overlap(const Step &a, const Step &b) {
  if (b.kind == Step::Kind::Element)
    return a.kind == Step::Kind::Element ? distance(a.from, b.from) == 0 : overlap(b, a);
  if (a.kind != Step::Kind::Element)
    return startsBeforeEnd(a, b) && startsBeforeEnd(b, a);
  std::optional<int64_t> behind = distance(a.from, b.from);
  return behind && *behind >= 0 && startsBeforeEnd(a, b);
}

bool ViewFinder::overlap(const View &a, const View &b) {
  if (!a.root || a.root != b.root)
    return false;
  return llvm::all_of(llvm::zip(a.steps, b.steps),
                      [&](auto steps) { return overlap(std::get<0>(steps), std::get<1>(steps)); });
}

// Whether the slices certainly overlap. Two conditionals may have the same condition, as in f(a if
// c else b, b if c else a). So one view of one slice must overlap all views of the other.
bool ViewFinder::overlap(const Expr &a, const Expr &b) {
  if (a.kind == Expr::Kind::Conditional && isSame(&a, &b))
    return true;
  Views ofA = viewsOf(a), ofB = viewsOf(b);
  auto meetsAll = [&](const View &one, const Views &others) {
    return llvm::all_of(others, [&](const View &other) { return overlap(one, other); });
  };
  return llvm::any_of(ofA, [&](const View &view) { return meetsAll(view, ofB); }) ||
         llvm::any_of(ofB, [&](const View &view) { return meetsAll(view, ofA); });
}

bool ViewFinder::alwaysOverlap(const Expr &a, const Expr &b) {
  hasAllChoices = true;
  const Views ofA = viewsOf(a), ofB = viewsOf(b);
  return llvm::all_of(ofA, [&](const View &one) {
    return llvm::all_of(ofB, [&](const View &other) { return overlap(one, other); });
  });
}

} // namespace spl::sema
