// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds for each slice which part of which memory it views. Two slices certainly overlap if they
// share elements, provided that they are not empty and not out of bounds.
#include "frontend/sema/lifetimes/AliasCheck.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Literals.h"
#include "llvm/Support/ErrorHandling.h"

namespace spl::sema {
namespace {

/// An index in the form symbol + offset. `symbol` is null for a constant.
struct Linear {
  const Expr *symbol;
  int64_t offset;
};
using Bound = std::optional<Linear>; ///< nothing if it is not known

/// One step from memory to a part of it: to the element, row or field at `from`, or to a range of
/// elements.
struct Step {
  enum class Kind : uint8_t { Element, Range, Rest };
  Kind kind; ///< Rest is the range from `from` to the end
  Bound from = {};
  Bound to = {}; ///< the end of a Range
};

/// The memory that a slice views: a local, and the steps to the part of it. `root` is null if the
/// memory is not known.
struct View {
  const Local *root = nullptr;
  llvm::SmallVector<Step, 2> steps = {};
};
using Views = llvm::SmallVector<View, 2>; ///< a conditional has the views of both arms

/// Returns the slice without its implicit conversions to a read-only slice, or from an array to a
/// slice.
const Expr &withoutCast(const Expr &slice) {
  auto *cast = llvm::dyn_cast<CastExpr>(&slice);
  return cast ? *cast->operand : slice;
}

class ViewFinder {
public:
  /// `vals` has the initial values of vals, which replace the vals; or it is null.
  ViewFinder(Session &session, const SliceVals *vals) : session(session), vals(vals) {}
  bool overlap(const Expr &a, const Expr &b);
  /// Whether the slices overlap for every choice of their conditionals, those in vals included.
  bool alwaysOverlap(const Expr &a, const Expr &b);

private:
  Views viewsOf(const Expr &place);
  const Expr *partOf(const Expr &whole, const Bound &part);
  const Expr *builtFrom(const Expr &place);
  void take(Views &views, const Step &step);
  Bound bound(const Expr &index);
  bool isSame(const Expr *a, const Expr *b);
  /// Returns a - b if it is known.
  std::optional<int64_t> distance(const Bound &a, const Bound &b);
  Bound sum(const Bound &a, const Bound &b);
  bool isEmpty(const Step &step);
  /// Whether the index is certainly the length of the slice, or more.
  bool isEndOf(const Bound &index, const Expr &slice);
  bool startsBeforeEnd(const Step &a, const Step &b);
  bool overlap(const Step &a, const Step &b);
  bool overlap(const View &a, const View &b);

  Session &session;
  const SliceVals *vals;
  bool hasAllChoices = false; ///< whether a val with several views is replaced by all of them
};

//===-- What a slice views --===//

Views ViewFinder::viewsOf(const Expr &place) {
  constexpr size_t limit = 32; // each conditional in a chain may double the number of views
  Views views;
  switch (place.kind) {
  case Expr::Kind::Local: {
    const Local *local = llvm::cast<LocalExpr>(place).local;
    // A val whose value has several views is replaced only for alwaysOverlap, because the choice
    // may be known only at run time.
    if (const Expr *value = vals ? vals->lookup(local) : nullptr)
      if (Views views = viewsOf(*value); views.size() == 1 || hasAllChoices)
        return views;
    // A var may have had another slice when the val was declared.
    bool isView = local->type.isSlice() || local->type.holdsSlices();
    bool isKnown = !vals || !isView || !local->isMutable;
    return {View{isKnown ? local : nullptr}};
  }
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
  case Expr::Kind::Subslice: {
    auto &part = llvm::cast<SubsliceExpr>(place);
    views = viewsOf(*part.base);
    Bound from = part.from ? bound(*part.from) : Linear{nullptr, 0};
    const Type base = withoutCast(*part.base).type;
    if (part.to)
      take(views, {Step::Kind::Range, from, bound(*part.to)});
    else if (base.isArray()) // an explicit end, so that a part that begins there is empty
      take(views, {Step::Kind::Range, from, Linear{nullptr, static_cast<int64_t>(base.length())}});
    else if (!isEndOf(from,
                      *part.base)) // a part that begins at the end is empty and overlaps nothing
      take(views, {Step::Kind::Rest, from});
    else
      views = {View()};
    return views;
  }
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

/// A slice among the arguments of a call: an argument, or a part of one.
struct SliceArgument {
  const Expr *slice; ///< without its implicit conversion
  bool isMut;        ///< as the parameter's
  std::string path;  ///< from the argument to the slice: ".cells"

  std::string text() const {
    std::string text = quoted(slice->range);
    if (path.empty() || text.front() != '\'')
      return text;
    if (needsParentheses())
      text.insert(1, "(").insert(text.size() - 1, ")");
    return text.insert(text.size() - 1, path);
  }

private:
  /// Whether the argument is a conditional without parentheses around it.
  bool needsParentheses() const {
    const Expr *whole = slice;
    while (whole->range.end == slice->range.end) // parts have the range of the argument
      if (auto *field = llvm::dyn_cast<FieldExpr>(whole))
        whole = field->base;
      else if (auto *index = llvm::dyn_cast<IndexExpr>(whole))
        whole = index->base;
      else
        break;
    auto *choice = llvm::dyn_cast<ConditionalExpr>(whole);
    return choice && choice->then->range.begin == choice->range.begin;
  }
};

/// Adds the slices of an argument.
void collectSlices(Session &session, const Expr &argument, const std::string &path,
                   llvm::SmallVectorImpl<SliceArgument> &slices) {
  const Type type = argument.type;
  if (type.isSlice())
    return slices.push_back({&withoutCast(argument), type.isMut(), path});
  if (!type.holdsSlices())
    return;
  if (auto *build = llvm::dyn_cast<BuildExpr>(&argument);
      build && (type.isStruct() || build->parts.size() == type.length())) {
    for (const Expr *part : build->parts)
      collectSlices(session, *part, "", slices);
    return;
  }
  if (type.isStruct()) {
    for (auto [number, field] : llvm::enumerate(type.structInfo().fields))
      collectSlices(
          session,
          *session.make(FieldExpr{{field.type, argument.range}, &argument, unsigned(number)}),
          path + "." + field.name.str(), slices);
    return;
  }
  for (uint64_t number = 0; number != type.length(); ++number) {
    const Expr *index = makeConstant(session, session.types.get(TypeKind::I64), argument.range,
                                     llvm::APInt(64, number));
    collectSlices(session,
                  *session.make(IndexExpr{{type.element(), argument.range},
                                          &argument,
                                          ArrayRef(index).copy(session.arena),
                                          /*isInside=*/true}),
                  path + "[" + std::to_string(number) + "]", slices);
  }
}

/// The end of the message about two arguments that overlap: what to mark or to pass instead. The
/// numbers are the indices of their parameters.
std::string overlapRemedy(const FunctionEntry &callee, unsigned first, unsigned second) {
  const auto &parameters = callee.function->parameters;
  if (parameters[first]->isReference && parameters[second]->isReference)
    return "; pass a copy of one of them";
  if (first == second)
    return (" or '" + parameters[first]->name + "' is marked '#[alias]'").str();
  for (auto [one, other] : {std::pair(first, second), std::pair(second, first)})
    if (parameters[one]->isReference)
      return (" or '" + parameters[other]->name + "' is marked '#[alias]'").str();
  return " or a parameter is marked '#[alias]'";
}

} // namespace

void requireDisjoint(Session &session, const SliceVals &vals, const FunctionEntry &callee,
                     ArrayRef<const Expr *> arguments) {
  llvm::SmallVector<SliceArgument, 4> slices;
  const auto &aliases = callee.function->traits.aliases;
  llvm::SmallVector<unsigned, 4> parameters; // the index of the parameter of each slice
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (aliases.empty() || !aliases[index]) {
      collectSlices(session, *argument, "", slices);
      parameters.resize(slices.size(), unsigned(index));
    }
  for (auto [index, later] : llvm::enumerate(slices))
    for (auto [before, earlier] : llvm::enumerate(ArrayRef(slices).take_front(index))) {
      const Expr &a = *earlier.slice, &b = *later.slice;
      if (!earlier.isMut && !later.isMut)
        continue;
      if (!ViewFinder(session, nullptr).overlap(a, b) &&
          !ViewFinder(session, &vals).overlap(a, b) &&
          !ViewFinder(session, &vals).alwaysOverlap(a, b))
        continue;
      std::string first = earlier.text(), second = later.text();
      session.diagnostics.emit(b.range, diag::OverlappingArguments,
                               first == second ? first + " is given twice"
                                               : first + " and " + second + " overlap",
                               shown(callee.writtenName()),
                               overlapRemedy(callee, parameters[before], parameters[index]));
      return;
    }
}

} // namespace spl::sema
