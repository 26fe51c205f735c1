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

std::optional<FrameView> viewOf(Evaluator &evaluator, Frame &frame, const Expr &expr, Frame *into,
                                const Local *key) {
  if (auto *local = llvm::dyn_cast<LocalExpr>(&expr))
    return frame.views.lookup(local->local);
  auto *cast = llvm::dyn_cast<CastExpr>(&expr);
  if (cast && cast->operand->type.isSlice())
    return viewOf(evaluator, frame, *cast->operand, into, key);
  if (auto *choice = llvm::dyn_cast<ConditionalExpr>(&expr)) {
    auto *condition = llvm::cast_if_present<ConstantExpr>(evaluator.evaluate(*choice->condition));
    if (!condition)
      return std::nullopt;
    return viewOf(evaluator, frame, condition->intValue.isOne() ? *choice->then : *choice->other,
                  into, key);
  }
  auto *reference = llvm::dyn_cast<ReferenceExpr>(&expr);
  if (!reference && !cast) {
    evaluator.notConstant(expr);
    return std::nullopt;
  }
  const Expr &operand = reference ? *reference->place : *cast->operand;
  FrameView view{{into, key}, reference != nullptr, 0, cast ? operand.type.length() : 1};
  if (isPlaceIn(frame, operand)) {
    std::optional<FramePlace> place = placeOf(evaluator, frame, operand);
    if (!place)
      return std::nullopt;
    view.place = *place;
    return view;
  }
  const Expr *value = evaluator.evaluate(operand);
  if (value && !key)
    evaluator.notConstant(expr);
  if (!value || !key)
    return std::nullopt;
  into->values[key] = {value};
  return view;
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
