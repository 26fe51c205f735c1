// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warp stores its partial result in shared memory. Then warps combine the partial results, and
// all work-items read the result. Two barriers are enough: memory that is written before the first
// barrier is read before the second one, so the next execution may write it after that.
#include "mir/transforms/GroupOperations.h"
#include "intrinsics/Reductions.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

namespace {

using spl::abi::maxWarps;
using spl::abi::warpSize;

struct GroupExpansion {
  IntrinsicOp op;
  unsigned number;
  OpBuilder &builder;
  Location loc = op.getLoc();
  Type type = op->getNumResults() ? op.getType() : Type();

  IntrinsicOp create(Id id, TypeRange results, ValueRange operands = {}) {
    return IntrinsicOp::create(builder, loc, results, spl::intrinsics::row(id).name, operands);
  }
  Value ofWarp(Id id, Value value) {
    IntrinsicOp whole = create(id, type, value);
    whole.setIsUnsigned(op.getIsUnsigned());
    return whole.getResult();
  }
  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }
  Value along(Id id, int64_t axis) {
    return IntrinsicOp::create(builder, loc, builder.getI64Type(), spl::intrinsics::row(id).name,
                               ValueRange(), builder.getI64IntegerAttr(axis))
        .getResult();
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  template <typename Op> Value compute(Value a, Value b) {
    using arith::IntegerOverflowFlags; // ids and sizes are small
    return Op::create(builder, loc, a, b, IntegerOverflowFlags::nsw | IntegerOverflowFlags::nuw);
  }
  /// The number of the warp of the work-item with this flat id.
  Value warpOf(Value flat) {
    return arith::ShRUIOp::create(builder, loc, flat, i64(spl::abi::warpShift));
  }

  Value flatId() {
    return flatId({along(Id::LocalId, 0), along(Id::LocalId, 1), along(Id::LocalId, 2)});
  }
  Value flatId(ValueRange ids) {
    Value row = compute<arith::MulIOp>(along(Id::LocalSize, 1), ids[2]);
    row = compute<arith::AddIOp>(ids[1], row);
    row = compute<arith::MulIOp>(along(Id::LocalSize, 0), row);
    return compute<arith::AddIOp>(ids[0], row);
  }
  Value groupSize() {
    Value row = compute<arith::MulIOp>(along(Id::LocalSize, 1), along(Id::LocalSize, 2));
    return compute<arith::MulIOp>(along(Id::LocalSize, 0), row);
  }

  Value cells(int64_t count) {
    auto slice = SliceType::get(builder.getContext(), type, /*isMut=*/true, 1);
    std::string name = "group$" + std::to_string(number);
    return SharedOp::create(builder, loc, slice, builder.getStringAttr(name),
                            builder.getDenseI64ArrayAttr(count));
  }
  void barrier() { create(Id::Barrier, TypeRange()); }
  void storeIf(Value condition, Value value, Value cells, Value index) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    StoreOp::create(inside, loc, value, cells, index);
  }
  Value load(Value cells, Value index) { return LoadOp::create(builder, loc, type, cells, index); }

  /// The operand of a lane for which there is no warp.
  Value identity() { return arith::ConstantOp::create(builder, loc, neutralElement(op)); }

  /// parts[lane] if lane < warps, otherwise the neutral element.
  Value partOf(Value lane, Value warps, Value parts) {
    Value isThere = compare(arith::CmpIPredicate::ult, lane, warps);
    auto branch = scf::IfOp::create(builder, loc, type, isThere, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, load(parts, lane));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, identity());
    return branch.getResult(0);
  }

  Value warpCount() { return warpOf(compute<arith::AddIOp>(groupSize(), i64(warpSize - 1))); }
  Value laneId() { return create(Id::LaneId, builder.getI64Type()).getResult(); }

  // Every warp combines the partial results, but only the first one is sure to have a lane for each
  // of them. Therefore the first work-item stores the result.
  Value reduce(Id id) {
    Value flat = flatId(), lane = laneId();
    Value parts = cells(maxWarps + 1), whole = i64(maxWarps);
    Value part = ofWarp(id, op.getOperand(0));
    storeIf(compare(arith::CmpIPredicate::eq, lane, i64(0)), part, parts, warpOf(flat));
    barrier();
    Value result = ofWarp(id, partOf(lane, warpCount(), parts));
    storeIf(compare(arith::CmpIPredicate::eq, flat, i64(0)), result, parts, whole);
    barrier();
    return load(parts, whole);
  }

  Value add(Value a, Value b) {
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      return arith::AddFOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, a, b);
  }

  /// The exclusive scan over the warp, from the inclusive one.
  Value withoutOwn(Value within, Value lane) {
    if (isa<IntegerType>(getElementTypeOrSelf(type)))
      return arith::SubIOp::create(builder, loc, within, op.getOperand(0));
    Value below = create(Id::ShuffleUp, type, {within, i64(1)}).getResult();
    return arith::SelectOp::create(builder, loc, compare(arith::CmpIPredicate::eq, lane, i64(0)),
                                   identity(), below);
  }

  Value scan() {
    Value flat = flatId(), lane = laneId(), warp = warpOf(flat), size = groupSize();
    Value parts = cells(2 * maxWarps), warps = warpCount();
    Value within = create(Id::WarpScan, type, op.getOperands()).getResult();
    Value isLastLane = compare(arith::CmpIPredicate::eq, lane, i64(warpSize - 1));
    Value isLast = compare(arith::CmpIPredicate::eq, compute<arith::AddIOp>(flat, i64(1)), size);
    storeIf(arith::OrIOp::create(builder, loc, isLastLane, isLast), within, parts, warp);
    barrier();
    auto before = create(Id::WarpScan, type, partOf(lane, warps, parts));
    before.setExclusive(true);
    storeIf(compare(arith::CmpIPredicate::ult, flat, warps), before.getResult(), parts,
            compute<arith::AddIOp>(lane, i64(maxWarps)));
    if (op.getExclusive())
      within = withoutOwn(within, lane);
    barrier();
    return add(load(parts, compute<arith::AddIOp>(warp, i64(maxWarps))), within);
  }

  // The first barrier ensures that all work-items have read the result of the previous execution.
  Value broadcast() {
    Value cell = cells(1);
    barrier();
    storeIf(compare(arith::CmpIPredicate::eq, flatId(), op.getOperand(1)), op.getOperand(0), cell,
            i64(0));
    barrier();
    return load(cell, i64(0));
  }
};

} // namespace

namespace spl::mir {

TypedAttr neutralElement(IntrinsicOp op) {
  Type type = op.getType(), element = getElementTypeOrSelf(type);
  Id id = op.getRow().id;
  bool isMin = id == Id::GroupMin || id == Id::WarpMin;
  bool isMax = id == Id::GroupMax || id == Id::WarpMax;
  TypedAttr value;
  if (auto real = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &kind = real.getFloatSemantics();
    // -0 + x is x, also if x is -0. min and max of NaN and x are x.
    value = FloatAttr::get(real, isMin || isMax ? APFloat::getQNaN(kind)
                                                : APFloat::getZero(kind, /*Negative=*/true));
  } else {
    unsigned width = element.getIntOrFloatBitWidth();
    APInt least = op.getIsUnsigned() ? APInt::getZero(width) : APInt::getSignedMinValue(width);
    bool isAnd = id == Id::GroupAll || id == Id::GroupAnd || id == Id::WarpAnd;
    value = IntegerAttr::get(element, isMin   ? ~least
                                      : isMax ? least
                                      : isAnd ? APInt::getAllOnes(width)
                                              : APInt::getZero(width));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return value;
}

Value flatLocalId(IntrinsicOp op, OpBuilder &builder) {
  return GroupExpansion{op, 0, builder}.flatId();
}
Value flatLocalId(IntrinsicOp op, ValueRange localIds, OpBuilder &builder) {
  return GroupExpansion{op, 0, builder}.flatId(localIds);
}

Value expandGroupOperation(IntrinsicOp op, unsigned number, OpBuilder &builder) {
  GroupExpansion expansion{op, number, builder};
  const Id id = op.getRow().id;
  if (const spl::intrinsics::Reduction *reduction = spl::intrinsics::findGroupReduction(id))
    return expansion.reduce(reduction->warp);
  switch (id) {
  case Id::GroupScan:
    return expansion.scan();
  case Id::GroupBroadcast:
    return expansion.broadcast();
  default:
    return {};
  }
}

} // namespace spl::mir
