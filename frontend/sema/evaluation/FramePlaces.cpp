// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/evaluation/FramePlaces.h"
#include "frontend/sema/expressions/Places.h"

namespace spl::sema {

bool isPlaceIn(const Frame &frame, const Expr &expr) {
  auto *root = llvm::dyn_cast<LocalExpr>(rootOf(&expr));
  return root && frame.contains(root->local);
}

/// The value of an index or a lane below `count`. Reports others with the text `what`.
static std::optional<uint64_t> indexBelow(Evaluator &evaluator, const Expr &index, uint64_t count,
                                          SourceRange range, StringRef what) {
  auto *value = llvm::cast_if_present<ConstantExpr>(evaluator.evaluate(index));
  if (!value)
    return std::nullopt;
  const bool isNegative = Evaluator::isSigned(value->type) && value->intValue.isNegative();
  if (!isNegative && value->intValue.ult(count))
    return value->intValue.getZExtValue();
  evaluator.fault(range, what);
  return std::nullopt;
}

/// The part of a place with that number. Nothing if either is missing.
static std::optional<FramePlace> partAt(std::optional<FramePlace> place,
                                        std::optional<uint64_t> number) {
  if (!place || !number)
    return std::nullopt;
  place->path.push_back(*number);
  return place;
}

static std::optional<FramePlace> elementOf(Evaluator &evaluator, Frame &frame,
                                           const IndexExpr &expr) {
  constexpr StringRef outside = "the index is outside the array";
  if (expr.indices.size() != 1) {
    evaluator.notConstant(expr);
    return std::nullopt;
  }
  const Expr &index = *expr.indices.front();
  if (!expr.base->type.isSlice()) {
    std::optional<FramePlace> array = placeOf(evaluator, frame, *expr.base);
    return partAt(
        array, array ? indexBelow(evaluator, index, expr.base->type.length(), expr.range, outside)
                     : std::nullopt);
  }
  std::optional<FrameView> view = viewOf(evaluator, frame, *expr.base);
  if (!view)
    return std::nullopt;
  std::optional<uint64_t> number = indexBelow(evaluator, index, view->length, expr.range, outside);
  if (!number)
    return std::nullopt;
  return view->isElement ? view->place : partAt(view->place, view->offset + *number);
}

std::optional<FramePlace> placeOf(Evaluator &evaluator, Frame &frame, const Expr &expr) {
  if (auto *local = llvm::dyn_cast<LocalExpr>(&expr))
    return FramePlace{&frame, local->local};
  if (auto *field = llvm::dyn_cast<FieldExpr>(&expr))
    return partAt(placeOf(evaluator, frame, *field->base), field->field);
  if (auto *lane = llvm::dyn_cast<LaneExpr>(&expr)) {
    std::optional<FramePlace> vector = placeOf(evaluator, frame, *lane->base);
    return partAt(vector, vector ? indexBelow(evaluator, *lane->index, lane->base->type.lanes(),
                                              expr.range, "the lane is outside the vector")
                                 : std::nullopt);
  }
  if (auto *index = llvm::dyn_cast<IndexExpr>(&expr))
    return elementOf(evaluator, frame, *index);
  evaluator.notConstant(expr);
  return std::nullopt;
}

/// The value of a bound of a sub-slice of \p length elements. Negative ones are above the length.
static std::optional<uint64_t> boundOf(Evaluator &evaluator, const Expr *bound,
                                       uint64_t otherwise) {
  if (!bound)
    return otherwise;
  auto *value = llvm::cast_if_present<ConstantExpr>(evaluator.evaluate(*bound));
  if (!value)
    return std::nullopt;
  const bool isNegative = Evaluator::isSigned(value->type) && value->intValue.isNegative();
  return isNegative ? UINT64_MAX : value->intValue.getLimitedValue();
}

namespace {
/// Finds what a slice or a reference refers to.
class Viewer {
public:
  Viewer(Evaluator &evaluator, Frame &frame, Frame *into, const Local *key)
      : evaluator(evaluator), frame(frame), into(into), key(key) {}

  std::optional<FrameView> view(const Expr &expr);

private:
  std::optional<FrameView> whole(const Expr &value, bool isElement, const Expr &expr);
  std::optional<FrameView> part(const SubsliceExpr &expr);

  Evaluator &evaluator;
  Frame &frame;
  Frame *into;
  const Local *key;
};
} // namespace

/// The view of an array, or of one element. \p expr is what an error quotes.
std::optional<FrameView> Viewer::whole(const Expr &value, bool isElement, const Expr &expr) {
  FrameView view{{into, key}, isElement, 0, isElement ? 1 : value.type.length()};
  if (isPlaceIn(frame, value)) {
    std::optional<FramePlace> place = placeOf(evaluator, frame, value);
    if (!place)
      return std::nullopt;
    view.place = *place;
    return view;
  }
  const Expr *evaluated = evaluator.evaluate(value);
  if (evaluated && !key)
    evaluator.notConstant(expr);
  if (!evaluated || !key)
    return std::nullopt;
  into->values[key] = {evaluated};
  return view;
}

std::optional<FrameView> Viewer::part(const SubsliceExpr &expr) {
  std::optional<FrameView> view = expr.base->type.isSlice()
                                      ? this->view(*expr.base)
                                      : whole(*expr.base, /*isElement=*/false, expr);
  if (!view)
    return std::nullopt;
  const std::optional<uint64_t> from = boundOf(evaluator, expr.from, 0),
                                to = boundOf(evaluator, expr.to, view->length);
  if (!from || !to)
    return std::nullopt;
  if (*from > *to || *to > view->length) {
    evaluator.fault(expr.range, "the sub-slice is outside the array");
    return std::nullopt;
  }
  view->offset += *from;
  view->length = *to - *from;
  return view;
}

std::optional<FrameView> Viewer::view(const Expr &expr) {
  if (auto *local = llvm::dyn_cast<LocalExpr>(&expr))
    return frame.views.lookup(local->local);
  if (auto *choice = llvm::dyn_cast<ConditionalExpr>(&expr)) {
    auto *condition = llvm::cast_if_present<ConstantExpr>(evaluator.evaluate(*choice->condition));
    if (!condition)
      return std::nullopt;
    return view(condition->intValue.isOne() ? *choice->then : *choice->other);
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(&expr))
    return cast->operand->type.isSlice() ? view(*cast->operand)
                                         : whole(*cast->operand, /*isElement=*/false, expr);
  if (auto *reference = llvm::dyn_cast<ReferenceExpr>(&expr))
    return whole(*reference->place, /*isElement=*/true, expr);
  if (auto *subslice = llvm::dyn_cast<SubsliceExpr>(&expr))
    return part(*subslice);
  evaluator.notConstant(expr);
  return std::nullopt;
}

std::optional<FrameView> viewOf(Evaluator &evaluator, Frame &frame, const Expr &expr, Frame *into,
                                const Local *key) {
  return Viewer(evaluator, frame, into, key).view(expr);
}

bool enter(Evaluator &evaluator, Frame *frame, Frame &into, const Local &local, const Expr &value) {
  if (local.type.isSlice()) {
    Frame none;
    std::optional<FrameView> view = viewOf(evaluator, frame ? *frame : none, value, &into, &local);
    if (view)
      into.views[&local] = *view;
    return view.has_value();
  }
  if (local.type.holdsSlices()) {
    evaluator.notConstant(value);
    return false;
  }
  const Expr *result = evaluator.evaluate(value);
  into.values[&local] = {result};
  return result;
}

} // namespace spl::sema
