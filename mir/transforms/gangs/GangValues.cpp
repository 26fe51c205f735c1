// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/dialect/Comparisons.h"
#include "mir/transforms/gangs/Gang.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;
using arith::CmpIPredicate;

//===-- Representations --===//

VectorType spl::mir::laneType(const Gang &gang, Type scalar) {
  return VectorType::get(gang.lanes, scalar);
}

SmallVector<Type, 1> spl::mir::laneTypes(const Gang &gang, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return SmallVector<Type, 1>(vector ? vector.getNumElements() : 1,
                              laneType(gang, getElementTypeOrSelf(type)));
}

Value spl::mir::scalarOf(Gang &gang, Value value) { return gang.scalars.lookupOrDefault(value); }

Value spl::mir::integer(Gang &gang, int64_t value, Type type) {
  auto constant = gang.builder.getIntegerAttr(
      getElementTypeOrSelf(type),
      APInt(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), uint64_t(value), /*isSigned=*/true,
            /*implicitTrunc=*/true));
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(gang.builder, gang.loc,
                                     DenseElementsAttr::get(vector, Attribute(constant)));
  return arith::ConstantOp::create(gang.builder, gang.loc, constant);
}

Value spl::mir::laneNumbers(Gang &gang, Type scalar, int64_t step) {
  const unsigned bits = scalar.getIntOrFloatBitWidth();
  SmallVector<APInt> numbers;
  for (int64_t lane = 0; lane < gang.lanes; ++lane)
    numbers.emplace_back(bits, uint64_t(lane) * uint64_t(step), /*isSigned=*/false,
                         /*implicitTrunc=*/true);
  return arith::ConstantOp::create(gang.builder, gang.loc,
                                   DenseElementsAttr::get(laneType(gang, scalar), numbers));
}

Value spl::mir::allocateLanes(Gang &gang, Type scalar, int64_t rows) {
  auto slice = SliceType::get(scalar.getContext(), scalar, /*isMut=*/true, 1);
  auto memory = LocalOp::create(gang.builder, gang.loc, slice, rows * gang.lanes);
  memory->setDiscardableAttr(SplDialect::lanesAttr, gang.builder.getI64IntegerAttr(gang.lanes));
  return memory;
}

Value spl::mir::everywhere(Gang &gang, Value scalar) {
  return vector::BroadcastOp::create(gang.builder, gang.loc, laneType(gang, scalar.getType()),
                                     scalar);
}

Value spl::mir::firstLanes(Gang &gang, Value vector) {
  if (cast<VectorType>(vector.getType()).getNumElements() == gang.lanes)
    return vector;
  return vector::ExtractStridedSliceOp::create(gang.builder, gang.loc, vector,
                                               /*offsets=*/ArrayRef<int64_t>{0},
                                               /*sizes=*/ArrayRef<int64_t>{gang.lanes},
                                               /*strides=*/ArrayRef<int64_t>{1});
}

Values spl::mir::vectorsOf(Gang &gang, Value value) {
  const LaneShape shape = gang.shapes.of(value);
  if (shape.isVarying()) {
    Values parts = gang.vectors.lookup(value);
    for (Value &part : parts)
      part = firstLanes(gang, part);
    return parts;
  }
  Value scalar = scalarOf(gang, value);
  Values parts;
  if (auto vector = dyn_cast<VectorType>(value.getType())) {
    for (int64_t part = 0; part < vector.getNumElements(); ++part)
      parts.push_back(
          everywhere(gang, vector::ExtractOp::create(gang.builder, gang.loc, scalar, part)));
    return parts;
  }
  parts.push_back(everywhere(gang, scalar));
  if (!shape.isUniform())
    parts[0] = arith::AddIOp::create(gang.builder, gang.loc, parts[0],
                                     laneNumbers(gang, value.getType(), shape.getStep()));
  return parts;
}

Value spl::mir::valueInLane(Gang &gang, Value value, Value lane) {
  const LaneShape shape = gang.shapes.of(value);
  if (shape.isUniform())
    return scalarOf(gang, value);
  if (shape.isLinear()) {
    Type type = value.getType();
    Value number = lane;
    if (type != lane.getType())
      number = arith::TruncIOp::create(gang.builder, gang.loc, type, lane);
    Value offset =
        arith::MulIOp::create(gang.builder, gang.loc, number, integer(gang, shape.getStep(), type));
    return arith::AddIOp::create(gang.builder, gang.loc, scalarOf(gang, value), offset);
  }
  if (isa<SliceType>(value.getType())) { // a view
    Operation *view = value.getDefiningOp();
    IRMapping operands;
    for (Value operand : view->getOperands())
      operands.map(operand, valueInLane(gang, operand, lane));
    return gang.builder.clone(*view, operands)->getResult(0);
  }
  Values parts;
  for (Value part : gang.vectors.lookup(value))
    parts.push_back(elementInLane(gang, part, lane));
  return isa<VectorType>(value.getType())
             ? vector::FromElementsOp::create(gang.builder, gang.loc, value.getType(), parts)
                   .getResult()
             : parts.front();
}

SmallVector<Type, 1> spl::mir::typesOf(const Gang &gang, Value value) {
  if (gang.shapes.isVarying(value))
    return laneTypes(gang, value.getType());
  return {value.getType()};
}

Values spl::mir::represent(Gang &gang, Value value, Value like) {
  if (gang.shapes.isVarying(like))
    return vectorsOf(gang, value);
  return {scalarOf(gang, value)};
}

SmallVector<Type> spl::mir::typesOfEach(const Gang &gang, ValueRange values) {
  SmallVector<Type> types;
  for (Value value : values)
    llvm::append_range(types, typesOf(gang, value));
  return types;
}

Values spl::mir::representEach(Gang &gang, ValueRange values, ValueRange like) {
  Values parts;
  for (auto [value, target] : llvm::zip_equal(values, like))
    llvm::append_range(parts, represent(gang, value, target));
  return parts;
}

void spl::mir::bind(Gang &gang, Value value, ValueRange parts) {
  if (gang.shapes.isVarying(value))
    gang.vectors[value] = Values(parts);
  else
    gang.scalars.map(value, parts.front());
}

ValueRange spl::mir::bindEach(Gang &gang, ValueRange values, ValueRange parts) {
  for (Value value : values) {
    const size_t count = typesOf(gang, value).size();
    bind(gang, value, parts.take_front(count));
    parts = parts.drop_front(count);
  }
  return parts;
}

Values spl::mir::zerosOf(Gang &gang, ArrayRef<Type> types) {
  Values zeros;
  for (Type type : types)
    zeros.push_back(
        arith::ConstantOp::create(gang.builder, gang.loc, gang.builder.getZeroAttr(type)));
  return zeros;
}

Values spl::mir::selectEach(Gang &gang, Value condition, ValueRange a, ValueRange b) {
  Values chosen;
  for (auto [first, second] : llvm::zip_equal(a, b))
    chosen.push_back(arith::SelectOp::create(gang.builder, gang.loc, condition, first, second));
  return chosen;
}

//===-- Masks --===//

Value spl::mir::anyOf(Gang &gang, Value mask) {
  return vector::ReductionOp::create(gang.builder, gang.loc, vector::CombiningKind::OR, mask);
}

Value spl::mir::allOf(Gang &gang, Value mask) {
  return vector::ReductionOp::create(gang.builder, gang.loc, vector::CombiningKind::AND, mask);
}

Value spl::mir::allOfActive(Gang &gang, Value lanes) {
  if (gang.mask)
    lanes = arith::SelectOp::create(gang.builder, gang.loc, gang.mask, lanes,
                                    integer(gang, 1, gang.mask.getType()));
  return allOf(gang, lanes);
}

// The condition of an inactive lane may be poison. A selection is not poison then, and a
// conjunction would be.
Value spl::mir::activeIf(Gang &gang, Value condition, bool holds) {
  Value lanes = vectorsOf(gang, condition).front();
  Value none = integer(gang, 0, lanes.getType()), all = integer(gang, 1, lanes.getType());
  if (!holds)
    lanes = arith::XOrIOp::create(gang.builder, gang.loc, lanes, all);
  return gang.mask ? arith::SelectOp::create(gang.builder, gang.loc, gang.mask, lanes, none)
                   : lanes;
}

/// Tests the first and the last lane of a comparison of a linear with a uniform value. If the
/// linear value does not wrap in between, the other lanes are between the two. Returns null for
/// other comparisons.
static Value holdsAtEnds(Gang &gang, arith::CmpIOp compare) {
  CmpIPredicate predicate = compare.getPredicate();
  Value linear = compare.getLhs(), bound = compare.getRhs();
  if (gang.shapes.isUniform(linear)) {
    std::swap(linear, bound);
    predicate = swapped(predicate);
  }
  constexpr int64_t maxStep = int64_t(1) << 16;
  const LaneShape shape = gang.shapes.of(linear);
  if (!shape.isLinear() || !gang.shapes.isUniform(bound) || shape.getStep() > maxStep ||
      shape.getStep() < -maxStep || predicate == CmpIPredicate::eq ||
      predicate == CmpIPredicate::ne || linear.getType().getIntOrFloatBitWidth() < 32)
    return {};
  Value first = scalarOf(gang, linear), limit = scalarOf(gang, bound);
  Value last =
      arith::AddIOp::create(gang.builder, gang.loc, first,
                            integer(gang, shape.getStep() * (gang.lanes - 1), first.getType()));
  auto test = [&](CmpIPredicate is, Value a, Value b) -> Value {
    return arith::CmpIOp::create(gang.builder, gang.loc, is, a, b);
  };
  const bool isSigned = predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle ||
                        predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge;
  const bool isUp = shape.getStep() > 0;
  Value atFirst = test(predicate, first, limit), atLast = test(predicate, last, limit);
  Value inOrder = test(isSigned ? (isUp ? CmpIPredicate::sge : CmpIPredicate::sle)
                                : (isUp ? CmpIPredicate::uge : CmpIPredicate::ule),
                       last, first);
  Value both = arith::AndIOp::create(gang.builder, gang.loc, atFirst, atLast);
  return arith::AndIOp::create(gang.builder, gang.loc, both, inOrder);
}

Value spl::mir::isBelowInAll(Gang &gang, Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != CmpIPredicate::ult ||
      !gang.shapes.isUniform(compare.getRhs()))
    return {};
  const LaneShape shape = gang.shapes.of(compare.getLhs());
  constexpr int64_t maxStep = 256;
  Type type = compare.getLhs().getType();
  if (!shape.isLinear() || shape.getStep() < 0 || shape.getStep() > maxStep ||
      type.getIntOrFloatBitWidth() < 32)
    return {};
  Value first = scalarOf(gang, compare.getLhs()), limit = scalarOf(gang, compare.getRhs());
  Value distance = integer(gang, shape.getStep() * (gang.lanes - 1), type);
  limit = arith::MaxUIOp::create(gang.builder, gang.loc, limit, distance);
  limit = arith::SubIOp::create(gang.builder, gang.loc, limit, distance);
  return arith::CmpIOp::create(gang.builder, gang.loc, CmpIPredicate::ult, first, limit);
}

Value spl::mir::holdsAtAllEnds(Gang &gang, Value condition) {
  if (gang.shapes.isUniform(condition))
    return scalarOf(gang, condition);
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op)) {
    Value left = holdsAtAllEnds(gang, both.getLhs());
    Value right = left ? holdsAtAllEnds(gang, both.getRhs()) : Value();
    return right ? arith::AndIOp::create(gang.builder, gang.loc, left, right) : Value();
  }
  auto compare = dyn_cast_if_present<arith::CmpIOp>(op);
  return compare ? holdsAtEnds(gang, compare) : Value();
}

Value spl::mir::holdsInAll(Gang &gang, Value condition) {
  if (gang.shapes.isUniform(condition))
    return scalarOf(gang, condition);
  Operation *op = condition.getDefiningOp();
  if (auto both = dyn_cast_if_present<arith::AndIOp>(op)) {
    Value left = holdsInAll(gang, both.getLhs()), right = holdsInAll(gang, both.getRhs());
    return arith::AndIOp::create(gang.builder, gang.loc, left, right);
  }
  if (auto compare = dyn_cast_if_present<arith::CmpIOp>(op))
    if (Value holds = holdsAtEnds(gang, compare))
      return holds;
  return allOf(gang, vectorsOf(gang, condition).front());
}
