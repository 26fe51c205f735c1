// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in memory, and slices.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;
using llvm::cast;
using llvm::dyn_cast;
using sema::Expr;

static std::int64_t sizeOf(sema::Type type) {
  return static_cast<std::int64_t>(type.layout().size);
}

/// Whether the index is negative or not less than the bound.
static bool isOutside(std::int64_t index, std::int64_t bound) {
  return static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(bound);
}

static Fault outside(const Item &item, const Expr &expr, std::int64_t index, std::int64_t bound) {
  return item.faultOf(FaultKind::IndexOutOfBounds, expr.range.begin, index, bound);
}

const Pointer &reference::used(const Place &place) {
  if (place.fault)
    throw Faulted{*place.fault};
  return place.at;
}

/// The element, or the row of the remaining axes, at the indices in \p slice.
static Place elementOf(Item &item, const sema::IndexExpr &expr, const Slice &slice, unsigned rank) {
  std::vector<std::int64_t> indices;
  for (const Expr *index : expr.indices)
    indices.push_back(indexOf(item, *index));
  Place place;
  std::int64_t number = 0;
  for (unsigned axis = 0; axis != rank; ++axis) {
    const std::int64_t index = axis < indices.size() ? indices[axis] : 0;
    if (axis < indices.size() && isOutside(index, slice.extents[axis])) {
      place.fault = outside(item, expr, index, slice.extents[axis]);
      return place;
    }
    number = number * slice.extents[axis] + index;
  }
  place.at = slice.start.at(number * sizeOf(expr.base->type.element()));
  return place;
}

static unsigned rankOf(sema::Type type) { return type.isSlice() ? type.rank() : 1; }

static Place laneOf(Item &item, const sema::LaneExpr &expr) {
  const Pointer base = used(placeOf(item, *expr.base));
  const std::int64_t lane = indexOf(item, *expr.index), lanes = expr.base->type.lanes();
  if (isOutside(lane, lanes))
    return {{}, outside(item, expr, lane, lanes)};
  return {base.at(lane * sizeOf(expr.type))};
}

static Pointer constantOf(Item &item, const sema::Constant &constant) {
  Pointer &memory = item.group.launch.constants[&constant];
  if (!memory.memory) {
    memory = allocate(constant.type.layout().size);
    store(constant.type, evaluate(item, *constant.value), memory);
  }
  return memory;
}

Place reference::placeOf(Item &item, const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Local:
    return {item.frame->memory.at(cast<sema::LocalExpr>(&expr)->local)};
  case Expr::Kind::Index: {
    auto &index = *cast<sema::IndexExpr>(&expr);
    return elementOf(item, index, elementsOf(item, *index.base), rankOf(index.base->type));
  }
  case Expr::Kind::Field: {
    auto &field = *cast<sema::FieldExpr>(&expr);
    const Pointer base = used(placeOf(item, *field.base));
    return {base.at(partOffset(field.base->type, field.field))};
  }
  case Expr::Kind::Lane:
    return laneOf(item, *cast<sema::LaneExpr>(&expr));
  case Expr::Kind::ConstantData:
    return {constantOf(item, *cast<sema::ConstantDataExpr>(&expr)->constant)};
  default: // a temporary value
    const Value value = evaluate(item, expr);
    const Pointer temporary = allocate(expr.type.layout().size);
    store(expr.type, value, temporary);
    return {temporary};
  }
}

Slice reference::elementsOf(Item &item, const Expr &expr) {
  if (expr.type.isSlice())
    return evaluate(item, expr).slice;
  return {used(placeOf(item, expr)), {static_cast<std::int64_t>(expr.type.length())}};
}

Slice reference::rowOf(Item &item, const sema::IndexExpr &expr) {
  const Slice whole = elementsOf(item, *expr.base);
  Slice row{used(elementOf(item, expr, whole, rankOf(expr.base->type))), {}};
  std::copy(whole.extents.begin() + static_cast<std::ptrdiff_t>(expr.indices.size()),
            whole.extents.end(), row.extents.begin());
  return row;
}

Slice reference::subsliceOf(Item &item, const sema::SubsliceExpr &expr) {
  const Slice whole = elementsOf(item, *expr.base);
  const std::int64_t length = whole.extents[0];
  const std::int64_t from = expr.from ? indexOf(item, *expr.from) : 0;
  const std::int64_t to = expr.to ? indexOf(item, *expr.to) : length;
  if (to < 0 || to > length)
    item.fail(FaultKind::IndexOutOfBounds, expr.range.begin, to, length);
  if (from < 0 || from > to)
    item.fail(FaultKind::IndexOutOfBounds, expr.range.begin, from, to);
  return {whole.start.at(from * sizeOf(expr.type.element())), {to - from}};
}
