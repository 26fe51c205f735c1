// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/Leaves.h"
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "frontend/sema/Leaves.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

namespace {

/// Where a part of a value is among the value's leaves, with its indices evaluated.
struct Position {
  SmallVector<unsigned, 1> offsets = {0}; ///< the leaves before the part, for each part it may be
  Value selector; ///< of several offsets, the number of the one that is meant
};

} // namespace

static const sema::Expr *baseOf(const sema::Expr &expr) {
  auto *field = dyn_cast<sema::FieldExpr>(&expr);
  auto *index = dyn_cast<sema::IndexExpr>(&expr);
  const sema::Expr *base = field ? field->base : index ? index->base : nullptr;
  return base && base->type.holdsSlices() ? base : nullptr;
}

/// The value of which the expression is a part: a name, or what makes the value.
static const sema::Expr &wholeValue(const sema::Expr &expr) {
  const sema::Expr *whole = &expr;
  while (const sema::Expr *base = baseOf(*whole))
    whole = base;
  return *whole;
}

bool mirgen::isLeaf(const sema::Expr &expr) { return baseOf(expr) && !expr.type.holdsSlices(); }

//===-- Positions --===//

/// Evaluates the index of an element, and checks it.
static Value emitElementNumber(FunctionContext &fn, const sema::IndexExpr &expr) {
  Location location = fn.locationOf(expr);
  const sema::Expr &index = *expr.indices.front();
  Value number = emitIndexValue(fn, index);
  if (expr.isInside || fn.isUnchecked())
    return number;
  Value count = fn.integer(fn.builder.getI64Type(), int64_t(expr.base->type.length()), location);
  Value inside =
      arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::ult, number, count);
  emitCheck(fn, inside, mir::FaultKind::IndexOutOfBounds, {number, count}, location,
            nameOf(*expr.base, fn.builder), isUnsigned(index));
  return number;
}

static Position emitPosition(FunctionContext &fn, const sema::Expr &expr) {
  const sema::Expr *base = baseOf(expr);
  if (!base)
    return {};
  Position whole = emitPosition(fn, *base), position;
  position.offsets.clear();
  position.selector = whole.selector;
  const SmallVector<uint64_t, 1> parts = partsOf(expr);
  for (unsigned before : whole.offsets)
    for (uint64_t part : parts)
      position.offsets.push_back(before + unsigned(sema::leavesBefore(base->type, part)));
  auto *index = dyn_cast<sema::IndexExpr>(&expr);
  if (!index || isa<sema::ConstantExpr>(index->indices.front()))
    return position;
  Value number = emitElementNumber(fn, *index);
  if (whole.selector) {
    Location location = fn.locationOf(expr);
    Value count = fn.integer(fn.builder.getI64Type(), int64_t(parts.size()), location);
    Value row = arith::MulIOp::create(fn.builder, location, whole.selector, count);
    number = arith::AddIOp::create(fn.builder, location, row, number);
  }
  position.selector = parts.size() == 1 && !whole.selector ? Value() : number;
  return position;
}

Value mirgen::select(FunctionContext &fn, Value selector, ArrayRef<Value> values,
                     Location location) {
  Value result = values.front();
  for (auto [number, value] : llvm::drop_begin(llvm::enumerate(values))) {
    Value wanted = fn.integer(selector.getType(), int64_t(number), location);
    Value isIt =
        arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::eq, selector, wanted);
    result = fn.builder.createOrFold<arith::SelectOp>(location, isIt, value, result);
  }
  return result;
}

//===-- Parts of locals --===//

/// The place of a leaf of a local: `number` is that of the leaf in the part at the position.
static Place leafOfLocal(FunctionContext &fn, const sema::Local *local, const Position &position,
                         unsigned number, sema::Type type, Location location) {
  Place place;
  for (unsigned offset : position.offsets)
    place.slots.push_back(fn.facts.slot(local) + offset + number);
  place.selector = position.selector;
  if (!fn.facts.isInMemory(local, type))
    return place;
  SmallVector<Value> memory;
  for (Slot slot : place.slots)
    memory.push_back(fn.env.get(slot));
  return wholeOf(
      fn, memory.size() == 1 ? memory.front() : select(fn, position.selector, memory, location),
      location);
}

/// A copy of what is in memory there, for the value of an expression.
static Value emitCopy(FunctionContext &fn, const Place &place, sema::Type type, Location location) {
  Value memory = emitLocal(fn, type, location);
  copy(fn, place, wholeOf(fn, memory, location), location);
  return readOnly(fn, memory, location);
}

static LeafValues leavesOfLocal(FunctionContext &fn, const sema::Expr &expr,
                                const sema::Local *local) {
  Location location = fn.locationOf(expr);
  const Position position = emitPosition(fn, expr);
  LeafValues values;
  for (auto [number, leaf] : llvm::enumerate(sema::leavesOf(expr.type))) {
    Place place = leafOfLocal(fn, local, position, unsigned(number), leaf.type, location);
    if (!leaf.type.isAggregate())
      values.push_back(read(fn, place, location));
    else if (local->isMutable)
      values.push_back(emitCopy(fn, place, leaf.type, location));
    else
      values.push_back(readOnly(fn, place.slice, location));
  }
  return values;
}

//===-- Values --===//

/// The leaves of a part of a value that has no name.
static LeafValues leavesOfPart(FunctionContext &fn, const sema::Expr &expr) {
  Location location = fn.locationOf(expr);
  const LeafValues whole = emitLeaves(fn, wholeValue(expr));
  const Position position = emitPosition(fn, expr);
  LeafValues values;
  for (unsigned number = 0, count = unsigned(expr.type.leafCount()); number != count; ++number) {
    SmallVector<Value> candidates;
    for (unsigned offset : position.offsets)
      candidates.push_back(whole[offset + number]);
    values.push_back(candidates.size() == 1 ? candidates.front()
                                            : select(fn, position.selector, candidates, location));
  }
  return values;
}

static LeafValues emitBuildLeaves(FunctionContext &fn, const sema::BuildExpr &expr) {
  SmallVector<LeafValues> parts(expr.parts.size());
  for (unsigned part : evaluationOrder(expr))
    parts[part] = emitLeaves(fn, *expr.parts[part]);
  LeafValues values;
  const size_t count = expr.type.isArray() ? expr.type.length() : parts.size();
  for (size_t part = 0; part != count; ++part)
    values.append(parts[parts.size() == 1 ? 0 : part]);
  return values;
}

static LeafValues emitConditionalLeaves(FunctionContext &fn, const sema::ConditionalExpr &expr) {
  SmallVector<Type> types;
  for (const sema::Leaf &leaf : sema::leavesOf(expr.type))
    types.push_back(fn.module.valueType(leaf.type, /*isMut=*/false));
  auto arm = [&](const sema::Expr &value) { return SmallVector<Value, 2>(emitLeaves(fn, value)); };
  return LeafValues(emitChoice(
      fn, fn.locationOf(expr), emitExpr(fn, *expr.condition), types,
      [&] { return arm(*expr.then); }, [&] { return arm(*expr.other); }));
}

LeafValues mirgen::emitLeaves(FunctionContext &fn, const sema::Expr &expr) {
  if (!expr.type.holdsSlices())
    return {emitArgument(fn, expr)};
  if (auto *build = dyn_cast<sema::BuildExpr>(&expr))
    return emitBuildLeaves(fn, *build);
  if (auto *choice = dyn_cast<sema::ConditionalExpr>(&expr))
    return emitConditionalLeaves(fn, *choice);
  auto *local = dyn_cast<sema::LocalExpr>(&wholeValue(expr));
  return local ? leavesOfLocal(fn, expr, local->local) : leavesOfPart(fn, expr);
}

//===-- Single leaves --===//

Place mirgen::emitLeafPlace(FunctionContext &fn, const sema::Expr &expr) {
  Location location = fn.locationOf(expr);
  if (auto *local = dyn_cast<sema::LocalExpr>(&wholeValue(expr)))
    return leafOfLocal(fn, local->local, emitPosition(fn, expr), 0, expr.type, location);
  Value value = leavesOfPart(fn, expr).front();
  if (expr.type.isAggregate())
    return wholeOf(fn, value, location);
  Place place = wholeOf(fn, emitLocal(fn, expr.type, location), location);
  write(fn, value, place, location);
  return place;
}

Value mirgen::emitLeaf(FunctionContext &fn, const sema::Expr &expr) {
  if (isa<sema::LocalExpr>(&wholeValue(expr)))
    return read(fn, emitLeafPlace(fn, expr), fn.locationOf(expr));
  return leavesOfPart(fn, expr).front();
}

//===-- Locals --===//

void mirgen::declareLeaves(FunctionContext &fn, const sema::Local &local, const sema::Expr &value) {
  Location location = fn.locationOf(value);
  const LeafValues values = emitLeaves(fn, value);
  for (auto [number, leaf] : llvm::enumerate(sema::leavesOf(local.type))) {
    Value own = values[number];
    if (fn.facts.isInMemory(&local, leaf.type) && local.isMutable) {
      const std::string name = (local.name + leaf.path).str();
      Place memory = wholeOf(fn, emitLocal(fn, leaf.type, location, name), location);
      if (leaf.type.isAggregate())
        copy(fn, wholeOf(fn, own, location), memory, location);
      else
        write(fn, own, memory, location);
      own = memory.slice;
    }
    fn.env.set(fn.facts.slot(&local) + unsigned(number), own);
  }
}

void mirgen::assignLeaves(FunctionContext &fn, const sema::Expr &place, const sema::Expr &value) {
  Location location = fn.locationOf(place);
  const sema::Local *local = cast<sema::LocalExpr>(&wholeValue(place))->local;
  const Position position = emitPosition(fn, place);
  const LeafValues values = emitLeaves(fn, value);
  for (auto [number, leaf] : llvm::enumerate(sema::leavesOf(place.type))) {
    Place to = leafOfLocal(fn, local, position, unsigned(number), leaf.type, location);
    if (leaf.type.isAggregate())
      copy(fn, wholeOf(fn, values[number], location), to, location);
    else
      write(fn, values[number], to, location);
  }
}
