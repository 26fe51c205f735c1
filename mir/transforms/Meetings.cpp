// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp or the work-items of a group do together, as loops over what each
// brings, which lies side by side in memory. Of a warp all lanes are gone through, those that
// are not here with a value that changes nothing: a loop of known length is good to vectorise.
#include "intrinsics/Rows.h"
#include "mir/transforms/GroupOperations.h"
#include "mir/transforms/Regions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Lowering;
using spl::intrinsics::Sync;

constexpr RegionCutter::Meeting RegionCutter::meetingOf(Id id) {
  switch (id) {
  case Id::Barrier: // where the loops before end and those behind begin
  case Id::WarpBarrier:
    return &RegionCutter::emitNothing;
  case Id::GroupSum:
  case Id::GroupMin:
  case Id::GroupMax:
  case Id::GroupAny:
  case Id::GroupAll:
    return &RegionCutter::emitGroupReduction;
  case Id::GroupScan:
    return &RegionCutter::emitGroupScan;
  case Id::GroupBroadcast:
    return &RegionCutter::emitGroupBroadcast;
  case Id::Ballot:
  case Id::Any:
  case Id::All:
    return &RegionCutter::emitVote;
  case Id::WarpSum:
  case Id::WarpMin:
  case Id::WarpMax:
    return &RegionCutter::emitWarpReduction;
  case Id::WarpScan:
    return &RegionCutter::emitWarpScan;
  case Id::Shuffle:
  case Id::ShuffleXor:
  case Id::ShuffleUp:
  case Id::ShuffleDown:
    return &RegionCutter::emitShuffle;
  case Id::MatchAny:
    return &RegionCutter::emitMatchAny;
  default:
    return nullptr;
  }
}

void RegionCutter::emitMeeting(IntrinsicOp op) {
  static_assert(spl::intrinsics::handlesJust(meetingOf,
                                             [](const spl::intrinsics::Row &row) {
                                               return row.cpu.kind ==
                                                          Lowering::Kind::WorkItemLoop &&
                                                      row.sync >= Sync::Warp;
                                             }),
                "each row that a warp or a group meets for is here");
  (this->*meetingOf(op.getRow().id))(op);
}

//===-- Loops over what lies in memory --===//

scf::ForOp RegionCutter::loop(Value count, ValueRange inits,
                              llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, integer(0), count, integer(1), inits);
  if (inWarp)
    keepRolled(loop);
  OpBuilder::InsertionGuard guard(builder);
  if (inits.empty()) {
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), {});
    return loop;
  }
  builder.setInsertionPointToEnd(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(builder, loc, next);
  return loop;
}

Value RegionCutter::combine(IntrinsicOp op, Value a, Value b) {
  switch (op.getRow().id) {
  case Id::GroupAny:
    return compute<arith::OrIOp>(a, b);
  case Id::GroupAll:
    return compute<arith::AndIOp>(a, b);
  case Id::WarpMin:
  case Id::GroupMin:
  case Id::WarpMax:
  case Id::GroupMax: {
    bool isMin = op.getRow().id == Id::WarpMin || op.getRow().id == Id::GroupMin;
    return IntrinsicOp::create(builder, loc, a.getType(),
                               spl::intrinsics::row(isMin ? Id::Min : Id::Max).name,
                               ValueRange{a, b}, IntegerAttr(), op.getIsUnsigned())
        .getResult();
  }
  default:
    if (!isa<FloatType>(getElementTypeOrSelf(a.getType())))
      return compute<arith::AddIOp>(a, b);
    // The order of such a sum is nobody's promise.
    return arith::AddFOp::create(builder, loc, a, b, arith::FastMathFlags::reassoc);
  }
}

Value RegionCutter::neutral(IntrinsicOp op) {
  return arith::ConstantOp::create(builder, loc, neutralElement(op));
}

Value RegionCutter::reduceOver(Value count, Value from, IntrinsicOp op) {
  return loop(count, neutral(op),
              [&](Value index, ValueRange so) -> Values {
                return {combine(op, so.front(), load(from, index))};
              })
      .getResult(0);
}

void RegionCutter::scanOver(Value count, Value from, Value to, IntrinsicOp op) {
  Value start = neutral(op);
  if (op.getExclusive())
    start = zeroOf(op.getType());
  loop(count, start, [&](Value index, ValueRange before) -> Values {
    Value sum = combine(op, before.front(), load(from, index));
    StoreOp::create(builder, loc, op.getExclusive() ? before.front() : sum, to, index,
                    /*unchecked=*/true);
    return {sum};
  });
}

//===-- Groups --===//

/// What the work-items bring, side by side.
Value RegionCutter::gatherInGroup(Value value) {
  if (Value kept = group.kept.lookup(value))
    return kept;
  Value all = newPlace(value.getType());
  copyEach({{value, all}});
  return all;
}

void RegionCutter::emitGroupReduction(IntrinsicOp op) {
  Value all = gatherInGroup(op.getOperand(0));
  setOne(op.getResult(), reduceOver(count, all, op));
}

void RegionCutter::emitGroupScan(IntrinsicOp op) {
  Value all = gatherInGroup(op.getOperand(0)), sums = newPlace(op.getType());
  scanOver(count, all, sums, op);
  group.kept[op.getResult()] = sums;
}

void RegionCutter::emitGroupBroadcast(IntrinsicOp op) {
  Value all = gatherInGroup(op.getOperand(0));
  setOne(op.getResult(), load(all, one(op.getOperand(1))));
}

//===-- Warps --===//

Value RegionCutter::ballot(llvm::function_ref<Value(Item &)> condition) {
  auto lanes = loop(integer(warpSize), integer(0, 32), [&](Value lane, ValueRange so) -> Values {
    Item item;
    item.lane = lane;
    item.flat = compute<arith::AddIOp>(firstItem, lane);
    // A lane that is not here may have nothing to look at.
    Value here = isActive(lane);
    Value has = arith::SelectOp::create(builder, loc, here, condition(item), integer(0, 1));
    Value bit = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), has);
    Value shift = arith::TruncIOp::create(builder, loc, builder.getI32Type(), lane);
    return {compute<arith::OrIOp>(so.front(), compute<arith::ShLIOp>(bit, shift))};
  });
  return lanes.getResult(0);
}

Value RegionCutter::ballot(Value condition) {
  return ballot([&](Item &item) { return use(condition, item); });
}

/// What the lanes that are here bring, side by side, and padding for the others.
Value RegionCutter::gather(Value value, Value padding) {
  Value place = newPlace(value.getType());
  loop(integer(warpSize), {}, [&](Value lane, ValueRange) -> Values {
    Item item;
    item.lane = lane;
    item.flat = compute<arith::AddIOp>(firstItem, lane);
    Value own = use(value, item);
    Value here = isActive(lane);
    StoreOp::create(builder, loc, arith::SelectOp::create(builder, loc, here, own, padding), place,
                    lane, /*unchecked=*/true);
    return {};
  });
  return place;
}

/// The lane that a shuffle reads; the other number is the source's, an i64.
Value RegionCutter::shuffleLane(IntrinsicOp op, Value lane, Value other) {
  auto within = [&](Value number) { return compute<arith::AndIOp>(number, integer(warpSize - 1)); };
  auto orOwn = [&](Value isInside, Value source) -> Value {
    return arith::SelectOp::create(builder, loc, isInside, source, lane);
  };
  switch (op.getRow().id) {
  case Id::Shuffle:
    return within(other);
  case Id::ShuffleXor:
    return within(compute<arith::XOrIOp>(lane, other));
  case Id::ShuffleUp:
    return orOwn(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, other, lane),
                 compute<arith::SubIOp>(lane, other));
  case Id::ShuffleDown:
    return orOwn(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, other,
                                       compute<arith::SubIOp>(integer(warpSize), lane)),
                 compute<arith::AddIOp>(lane, other));
  default:
    llvm_unreachable("meetingOf names the shuffles");
  }
}

void RegionCutter::emitShuffle(IntrinsicOp op) {
  Value all = gather(op.getOperand(0), zeroOf(op.getType()));
  answerEach(op, [&](Item &item) {
    return load(all, shuffleLane(op, item.lane, use(op.getOperand(1), item)));
  });
}

/// The lanes here whose value has the same bits as the lane's own.
Value RegionCutter::matchAny(Value values, Value lane, Type type) {
  Type element = getElementTypeOrSelf(type);
  Type bits = builder.getIntegerType(element.getIntOrFloatBitWidth());
  auto vector = dyn_cast<VectorType>(type);
  if (vector)
    bits = VectorType::get(vector.getShape(), bits);
  auto bitsOf = [&](Value index) -> Value {
    Value value = load(values, index);
    return type == bits ? value : arith::BitcastOp::create(builder, loc, bits, value).getResult();
  };
  Value own = bitsOf(lane);
  auto lanes = loop(integer(warpSize), integer(0, 32), [&](Value other, ValueRange so) -> Values {
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bitsOf(other), own);
    Value all = same;
    for (int64_t number = 0; vector && number < vector.getNumElements(); ++number) {
      Value one = vector::ExtractOp::create(builder, loc, same, number);
      all = number == 0 ? one : compute<arith::AndIOp>(all, one);
    }
    all = compute<arith::AndIOp>(all, isActive(other));
    Value bit = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), all);
    Value shift = arith::TruncIOp::create(builder, loc, builder.getI32Type(), other);
    return {compute<arith::OrIOp>(so.front(), compute<arith::ShLIOp>(bit, shift))};
  });
  return lanes.getResult(0);
}

void RegionCutter::emitMatchAny(IntrinsicOp op) {
  Type type = op.getOperand(0).getType();
  Value all = gather(op.getOperand(0), zeroOf(type));
  answerEach(op, [&](Item &item) { return matchAny(all, item.lane, type); });
}

void RegionCutter::emitVote(IntrinsicOp op) {
  Value answer = ballot(op.getOperand(0));
  Id id = op.getRow().id;
  if (id == Id::Any)
    answer = hasAny(answer);
  else if (id == Id::All)
    answer = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, answer, mask);
  setOne(op.getResult(), answer);
}

void RegionCutter::emitWarpReduction(IntrinsicOp op) {
  Value all = gather(op.getOperand(0), neutral(op));
  setOne(op.getResult(), reduceOver(integer(warpSize), all, op));
}

void RegionCutter::emitWarpScan(IntrinsicOp op) {
  Value all = gather(op.getOperand(0), neutral(op)), sums = newPlace(op.getType());
  scanOver(integer(warpSize), all, sums, op);
  warp.kept[op.getResult()] = sums;
}

/// Keeps what each lane answers as the operation's result.
void RegionCutter::answerEach(IntrinsicOp op, llvm::function_ref<Value(Item &)> answer) {
  Value answers = newPlace(op.getType());
  forEach([&](Item &item) { store(answer(item), answers, item); });
  warp.kept[op.getResult()] = answers;
}
