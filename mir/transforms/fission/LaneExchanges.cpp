// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/LaneExchanges.h"
#include "intrinsics/Intrinsics.h"
#include "mir/transforms/fission/LaneVectors.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mir/transforms/fission/WarpLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;

/// The lane that a shuffle reads. \p other is the i64 operand: a lane number, a distance or a mask.
static Value shuffleLane(FissionContext &fission, IntrinsicOp op, Value lane, Value other) {
  // The lane with this number in the segment of the lane, modulo the width.
  auto within = [&](Value number) {
    Value inside = fission.compute<arith::AndIOp>(number, fission.integer(op.segment() - 1));
    if (!op.getWidth())
      return inside;
    Value first = fission.compute<arith::AndIOp>(lane, fission.integer(-op.segment()));
    return fission.compute<arith::OrIOp>(first, inside);
  };
  Value position = fission.compute<arith::AndIOp>(lane, fission.integer(op.segment() - 1));
  auto orOwn = [&](Value isInside, Value source) -> Value {
    return arith::SelectOp::create(fission.builder, fission.loc, isInside, source, lane);
  };
  switch (op.getRow().id) {
  case Id::Shuffle:
    return within(other);
  case Id::ShuffleXor:
    return within(fission.compute<arith::XOrIOp>(lane, other));
  case Id::ShuffleUp:
    return orOwn(arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::ule,
                                       other, position),
                 fission.compute<arith::SubIOp>(lane, other));
  case Id::ShuffleDown:
    return orOwn(arith::CmpIOp::create(
                     fission.builder, fission.loc, arith::CmpIPredicate::ult, other,
                     fission.compute<arith::SubIOp>(fission.integer(op.segment()), position)),
                 fission.compute<arith::AddIOp>(lane, other));
  default:
    llvm_unreachable("emitterOf names the shuffles");
  }
}

/// The result of a shuffle whose i64 operand is the same for all lanes.
static Value shuffleUniformly(FissionContext &fission, IntrinsicOp op, Value lanes, Value other) {
  constexpr int64_t warpSize = FissionContext::warpSize;
  auto move = [&](LaneSource source) {
    return permuteBy(fission, lanes, other, op.segment(), source,
                     [](int64_t lane, int64_t) { return lane; });
  };
  /// \p moved for the lanes whose number in the segment fulfils the condition, else their own.
  auto where = [&](arith::CmpIPredicate predicate, llvm::function_ref<int64_t(int64_t)> limit,
                   Value moved) -> Value {
    SmallVector<int64_t> limits;
    for (int64_t lane = 0; lane != warpSize; ++lane)
      limits.push_back(limit(lane % op.segment()));
    Value ends = arith::ConstantOp::create(fission.builder, fission.loc,
                                           fission.builder.getI64VectorAttr(limits));
    Value isInside = arith::CmpIOp::create(fission.builder, fission.loc, predicate,
                                           everyLane(fission, other, warpSize), ends);
    return arith::SelectOp::create(fission.builder, fission.loc, isInside, moved, lanes);
  };
  switch (op.getRow().id) {
  case Id::Shuffle:
    return permuteBy(
        fission, lanes, other, op.segment(), [](int64_t lane, int64_t bit) { return lane | bit; },
        [](int64_t lane, int64_t bit) { return lane & ~bit; });
  case Id::ShuffleXor:
    return move([](int64_t lane, int64_t bit) { return lane ^ bit; });
  case Id::ShuffleUp:
    return where(
        arith::CmpIPredicate::ule, [](int64_t position) { return position; },
        move([](int64_t lane, int64_t bit) { return (lane - bit) & (warpSize - 1); }));
  case Id::ShuffleDown:
    return where(
        arith::CmpIPredicate::ult, [&](int64_t position) { return op.segment() - position; },
        move([](int64_t lane, int64_t bit) { return (lane + bit) & (warpSize - 1); }));
  default:
    llvm_unreachable("emitterOf names the shuffles");
  }
}

void spl::mir::emitShuffle(FissionContext &fission, IntrinsicOp op) {
  Value all = gather(fission, op.getOperand(0), fission.zeroOf(op.getType()));
  if (isOnVectors(fission, op))
    if (Value other = hoistIfUniform(fission, op.getOperand(1)))
      return setLanes(fission, op, shuffleUniformly(fission, op, vectorOf(fission, all), other));
  resultForEach(fission, op, [&](Item &item) {
    return fission.load(
        all, shuffleLane(fission, op, item.lane, valueFor(fission, op.getOperand(1), item)));
  });
}

/// The active lanes whose value has the same bits as that of the lane.
static Value matchAny(FissionContext &fission, Value values, Value lane, Type type) {
  Type element = getElementTypeOrSelf(type);
  Type bits = fission.builder.getIntegerType(element.getIntOrFloatBitWidth());
  auto vector = dyn_cast<VectorType>(type);
  if (vector)
    bits = VectorType::get(vector.getShape(), bits);
  auto bitsOf = [&](Value index) -> Value {
    Value value = fission.load(values, index);
    return type == bits
               ? value
               : arith::BitcastOp::create(fission.builder, fission.loc, bits, value).getResult();
  };
  Value own = bitsOf(lane);
  auto lanes =
      countTo(fission, fission.integer(FissionContext::warpSize), fission.integer(0, 32),
              [&](Value other, ValueRange partial) -> Values {
                Value same = arith::CmpIOp::create(fission.builder, fission.loc,
                                                   arith::CmpIPredicate::eq, bitsOf(other), own);
                Value all = same;
                for (int64_t number = 0; vector && number < vector.getNumElements(); ++number) {
                  Value one = vector::ExtractOp::create(fission.builder, fission.loc, same, number);
                  all = number == 0 ? one : fission.compute<arith::AndIOp>(all, one);
                }
                all = fission.compute<arith::AndIOp>(all, isActive(fission, other));
                return {addToMask(fission, partial.front(), other, all)};
              });
  return lanes.getResult(0);
}

/// The same, by one comparison with all lanes of the warp in a vector.
static Value matchVector(FissionContext &fission, Value values, Value lane, Type type) {
  Type bits = fission.builder.getIntegerType(type.getIntOrFloatBitWidth());
  auto cast = [&](Value value, Type to) -> Value {
    return value.getType() == to
               ? value
               : arith::BitcastOp::create(fission.builder, fission.loc, to, value).getResult();
  };
  Value all = cast(vectorOf(fission, values), VectorType::get(FissionContext::warpSize, bits));
  Value own = cast(fission.load(values, lane), bits);
  Value same = arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::eq, all,
                                     everyLane(fission, own, FissionContext::warpSize));
  return fission.compute<arith::AndIOp>(bitsOf(fission, same), fission.lanes.mask);
}

void spl::mir::emitMatchAny(FissionContext &fission, IntrinsicOp op) {
  Type type = op.getOperand(0).getType();
  Value all = gather(fission, op.getOperand(0), fission.zeroOf(type));
  if (isOnVectors(fission, op))
    return resultForEach(fission, op,
                         [&](Item &item) { return matchVector(fission, all, item.lane, type); });
  resultForEach(fission, op, [&](Item &item) { return matchAny(fission, all, item.lane, type); });
}
