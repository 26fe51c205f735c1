// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective becomes a loop over the operands of all work-items, which are adjacent in memory. In
// a warp, the loop is over all 32 lanes, because a loop with a constant trip count vectorises well.
// Inactive lanes have the neutral element.
#include "mir/transforms/fission/Collectives.h"
#include "intrinsics/Reductions.h"
#include "intrinsics/Rows.h"
#include "mir/transforms/GroupOperations.h"
#include "mir/transforms/fission/ControlFlow.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;

static void resultForEach(FissionContext &fission, IntrinsicOp op,
                          llvm::function_ref<mlir::Value(Item &)> result);
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

//===-- Loops over operands in memory --===//

static scf::ForOp loop(FissionContext &fission, Value count, ValueRange inits,
                       llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(fission.builder, fission.loc, fission.integer(0), count,
                                 fission.integer(1), inits);
  if (fission.inWarp)
    keepRolled(fission, loop);
  if (fission.inWarp && fission.lanes.areRow && inits.empty())
    loop->setDiscardableAttr(SplDialect::warpAttr, fission.builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(fission.builder);
  if (inits.empty()) {
    fission.builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar(), {});
    return loop;
  }
  fission.builder.setInsertionPointToEnd(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(fission.builder, fission.loc, next);
  return loop;
}

static Value combine(FissionContext &fission, IntrinsicOp op, Value a, Value b) {
  switch (op.getRow().id) {
  case Id::GroupAny:
  case Id::WarpOr:
  case Id::GroupOr:
    return fission.compute<arith::OrIOp>(a, b);
  case Id::GroupAll:
  case Id::WarpAnd:
  case Id::GroupAnd:
    return fission.compute<arith::AndIOp>(a, b);
  case Id::WarpXor:
  case Id::GroupXor:
    return fission.compute<arith::XOrIOp>(a, b);
  case Id::WarpMin:
  case Id::GroupMin:
  case Id::WarpMax:
  case Id::GroupMax: {
    bool isMin = op.getRow().id == Id::WarpMin || op.getRow().id == Id::GroupMin;
    return IntrinsicOp::create(fission.builder, fission.loc, a.getType(),
                               spl::intrinsics::row(isMin ? Id::Min : Id::Max).name,
                               ValueRange{a, b}, IntegerAttr(), op.getIsUnsigned())
        .getResult();
  }
  default:
    if (!isa<FloatType>(getElementTypeOrSelf(a.getType())))
      return fission.compute<arith::AddIOp>(a, b);
    // The language does not define the order of such a sum.
    return arith::AddFOp::create(fission.builder, fission.loc, a, b, arith::FastMathFlags::reassoc);
  }
}

static Value neutral(FissionContext &fission, IntrinsicOp op) {
  return arith::ConstantOp::create(fission.builder, fission.loc, neutralElement(op));
}

/// Combines the values from the first one on, or from the start of the array.
static Value reduceOver(FissionContext &fission, Value count, Value from, IntrinsicOp op,
                        Value first = {}) {
  return loop(fission, count, neutral(fission, op),
              [&](Value index, ValueRange partial) -> Values {
                if (first)
                  index = fission.compute<arith::AddIOp>(first, index);
                return {combine(fission, op, partial.front(), fission.load(from, index))};
              })
      .getResult(0);
}

static Value isFirstOfSegment(FissionContext &fission, IntrinsicOp op, Value lane) {
  Value within = fission.compute<arith::AndIOp>(lane, fission.integer(op.segment() - 1));
  return arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::eq, within,
                               fission.integer(0));
}

static void scanOver(FissionContext &fission, Value count, Value from, Value to, IntrinsicOp op) {
  Value start = neutral(fission, op);
  if (op.getExclusive())
    start = fission.zeroOf(op.getType());
  loop(fission, count, start, [&](Value index, ValueRange carried) -> Values {
    Value before = carried.front();
    if (op.getWidth()) // each segment begins anew
      before = arith::SelectOp::create(fission.builder, fission.loc,
                                       isFirstOfSegment(fission, op, index), start, before);
    Value sum = combine(fission, op, before, fission.load(from, index));
    StoreOp::create(fission.builder, fission.loc, op.getExclusive() ? before : sum, to, index,
                    /*unchecked=*/true);
    return {sum};
  });
}

//===-- Groups --===//

/// Stores the operands of all work-items in memory.
static Value gatherInGroup(FissionContext &fission, Value value) {
  if (Value kept = fission.group.saved.lookup(value))
    return kept;
  Value all = newSlots(fission, value.getType());
  copyEach(fission, {{value, all}});
  return all;
}

static void emitGroupReduction(FissionContext &fission, IntrinsicOp op) {
  Value all = gatherInGroup(fission, op.getOperand(0));
  setHoisted(fission, op.getResult(), reduceOver(fission, fission.count, all, op));
}

static void emitGroupScan(FissionContext &fission, IntrinsicOp op) {
  Value all = gatherInGroup(fission, op.getOperand(0)), sums = newSlots(fission, op.getType());
  scanOver(fission, fission.count, all, sums, op);
  fission.group.saved[op.getResult()] = sums;
}

static void emitGroupBroadcast(FissionContext &fission, IntrinsicOp op) {
  Value all = gatherInGroup(fission, op.getOperand(0));
  setHoisted(fission, op.getResult(), fission.load(all, hoist(fission, op.getOperand(1))));
}

//===-- Warps --===//

/// The slots of all lanes of a warp, as a vector.
static Value vectorOf(FissionContext &fission, Value slots) {
  Type element = cast<SliceType>(slots.getType()).getElement();
  auto type = VectorType::get(FissionContext::warpSize, element);
  return LoadLanesOp::create(fission.builder, fission.loc, type, slots, fission.integer(0),
                             Value());
}

/// A ballot of lanes that all exist: their conditions are the bits of an integer.
static Value ballotOfRow(FissionContext &fission, llvm::function_ref<Value(Item &)> condition) {
  Type i1 = fission.builder.getI1Type(), i32 = fission.builder.getI32Type();
  Value slots = newSlots(fission, i1);
  loop(fission, fission.integer(FissionContext::warpSize), {},
       [&](Value lane, ValueRange) -> Values {
         Item item;
         item.lane = lane;
         item.flat = fission.compute<arith::AddIOp>(fission.lanes.first, lane);
         // The condition of an inactive lane may be undefined.
         Value has = condition(item);
         if (!fission.lanes.areAll)
           has = arith::SelectOp::create(fission.builder, fission.loc, isActive(fission, lane), has,
                                         fission.integer(0, 1));
         StoreOp::create(fission.builder, fission.loc, has, slots, lane, /*unchecked=*/true);
         return {};
       });
  Value bits = vector::BitCastOp::create(fission.builder, fission.loc, VectorType::get(1, i32),
                                         vectorOf(fission, slots));
  return vector::ExtractOp::create(fission.builder, fission.loc, bits, int64_t(0));
}

Value spl::mir::ballot(FissionContext &fission, llvm::function_ref<Value(Item &)> condition) {
  if (fission.lanes.areRow)
    return ballotOfRow(fission, condition);
  auto lanes = loop(fission, fission.integer(FissionContext::warpSize), fission.integer(0, 32),
                    [&](Value lane, ValueRange partial) -> Values {
                      Item item;
                      item.lane = lane;
                      item.flat = fission.compute<arith::AddIOp>(fission.lanes.first, lane);
                      // The condition of an inactive lane may be undefined.
                      Value here = isActive(fission, lane);
                      Value has = arith::SelectOp::create(fission.builder, fission.loc, here,
                                                          condition(item), fission.integer(0, 1));
                      Value bit = arith::ExtUIOp::create(fission.builder, fission.loc,
                                                         fission.builder.getI32Type(), has);
                      Value shift = arith::TruncIOp::create(fission.builder, fission.loc,
                                                            fission.builder.getI32Type(), lane);
                      return {fission.compute<arith::OrIOp>(
                          partial.front(), fission.compute<arith::ShLIOp>(bit, shift))};
                    });
  return lanes.getResult(0);
}

Value spl::mir::ballot(FissionContext &fission, Value condition) {
  return ballot(fission, [&](Item &item) { return valueFor(fission, condition, item); });
}

/// Stores the operands of the active lanes in memory, and padding for the other lanes.
static Value gather(FissionContext &fission, Value value, Value padding) {
  Value place = newSlots(fission, value.getType());
  loop(fission, fission.integer(FissionContext::warpSize), {},
       [&](Value lane, ValueRange) -> Values {
         Item item;
         item.lane = lane;
         item.flat = fission.compute<arith::AddIOp>(fission.lanes.first, lane);
         Value own = valueFor(fission, value, item);
         Value here = isActive(fission, lane);
         StoreOp::create(fission.builder, fission.loc,
                         arith::SelectOp::create(fission.builder, fission.loc, here, own, padding),
                         place, lane, /*unchecked=*/true);
         return {};
       });
  return place;
}

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

static void emitShuffle(FissionContext &fission, IntrinsicOp op) {
  Value all = gather(fission, op.getOperand(0), fission.zeroOf(op.getType()));
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
      loop(fission, fission.integer(FissionContext::warpSize), fission.integer(0, 32),
           [&](Value other, ValueRange partial) -> Values {
             Value same = arith::CmpIOp::create(fission.builder, fission.loc,
                                                arith::CmpIPredicate::eq, bitsOf(other), own);
             Value all = same;
             for (int64_t number = 0; vector && number < vector.getNumElements(); ++number) {
               Value one = vector::ExtractOp::create(fission.builder, fission.loc, same, number);
               all = number == 0 ? one : fission.compute<arith::AndIOp>(all, one);
             }
             all = fission.compute<arith::AndIOp>(all, isActive(fission, other));
             Value bit = arith::ExtUIOp::create(fission.builder, fission.loc,
                                                fission.builder.getI32Type(), all);
             Value shift = arith::TruncIOp::create(fission.builder, fission.loc,
                                                   fission.builder.getI32Type(), other);
             return {fission.compute<arith::OrIOp>(partial.front(),
                                                   fission.compute<arith::ShLIOp>(bit, shift))};
           });
  return lanes.getResult(0);
}

static void emitMatchAny(FissionContext &fission, IntrinsicOp op) {
  Type type = op.getOperand(0).getType();
  Value all = gather(fission, op.getOperand(0), fission.zeroOf(type));
  resultForEach(fission, op, [&](Item &item) { return matchAny(fission, all, item.lane, type); });
}

static void emitActiveMask(FissionContext &fission, IntrinsicOp op) {
  setHoisted(fission, op.getResult(), fission.lanes.mask);
}

static void emitVote(FissionContext &fission, IntrinsicOp op) {
  Value result = ballot(fission, op.getOperand(0));
  Id id = op.getRow().id;
  if (id == Id::Any)
    result = hasAny(fission, result);
  else if (id == Id::All)
    result = arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::eq, result,
                                   fission.lanes.mask);
  setHoisted(fission, op.getResult(), result);
}

/// How vector.reduction combines the lanes, if it does it as the operation.
static std::optional<vector::CombiningKind> combiningKind(IntrinsicOp op) {
  const bool isInteger = op.getType().isSignlessInteger(),
             isFloat = op.getType().isF32() || op.getType().isF64();
  switch (op.getRow().id) {
  case Id::WarpSum:
    return isInteger || isFloat ? std::optional(vector::CombiningKind::ADD) : std::nullopt;
  case Id::WarpAnd:
    return isInteger ? std::optional(vector::CombiningKind::AND) : std::nullopt;
  case Id::WarpOr:
    return isInteger ? std::optional(vector::CombiningKind::OR) : std::nullopt;
  case Id::WarpXor:
    return isInteger ? std::optional(vector::CombiningKind::XOR) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static void emitWarpReduction(FissionContext &fission, IntrinsicOp op) {
  Value all = gather(fission, op.getOperand(0), neutral(fission, op));
  if (op.getWidth()) {
    resultForEach(fission, op, [&](Item &item) {
      Value first = fission.compute<arith::AndIOp>(item.lane, fission.integer(-op.segment()));
      return reduceOver(fission, fission.integer(op.segment()), all, op, first);
    });
    return;
  }
  std::optional<vector::CombiningKind> kind = combiningKind(op);
  Value result;
  if (kind && fission.lanes.areRow)
    // The language does not define the order of a sum.
    result = vector::ReductionOp::create(fission.builder, fission.loc, *kind,
                                         vectorOf(fission, all), arith::FastMathFlags::reassoc);
  else
    result = reduceOver(fission, fission.integer(FissionContext::warpSize), all, op);
  setHoisted(fission, op.getResult(), result);
}

static void emitWarpScan(FissionContext &fission, IntrinsicOp op) {
  Value all = gather(fission, op.getOperand(0), neutral(fission, op)),
        sums = newSlots(fission, op.getType());
  scanOver(fission, fission.integer(FissionContext::warpSize), all, sums, op);
  fission.warp.saved[op.getResult()] = sums;
}

/// Stores the result of the operation for each active lane.
static void resultForEach(FissionContext &fission, IntrinsicOp op,
                          llvm::function_ref<Value(Item &)> result) {
  Value results = newSlots(fission, op.getType());
  forEach(fission, [&](Item &item) { store(fission, result(item), results, item); });
  fission.warp.saved[op.getResult()] = results;
}

//===-- The table --===//

static void emitNothing(FissionContext &, IntrinsicOp) {}

/// The group's loops end before it. It stays one operation for the group.
static void emitGridBarrier(FissionContext &fission, IntrinsicOp op) {
  IntrinsicOp::create(fission.builder, op.getLoc(), TypeRange(), op.getName(), ValueRange());
}

using Emitter = void (*)(FissionContext &, IntrinsicOp);

static constexpr Emitter emitterOf(Id id) {
  if (spl::intrinsics::isWarpReduction(id))
    return emitWarpReduction;
  if (spl::intrinsics::findGroupReduction(id))
    return emitGroupReduction;
  switch (id) {
  case Id::Barrier: // the loops before it end, and others begin after it
  case Id::WarpBarrier:
    return emitNothing;
  case Id::GridBarrier:
    return emitGridBarrier;
  case Id::GroupAny:
  case Id::GroupAll:
    return emitGroupReduction;
  case Id::GroupScan:
    return emitGroupScan;
  case Id::GroupBroadcast:
    return emitGroupBroadcast;
  case Id::ActiveMask:
    return emitActiveMask;
  case Id::Ballot:
  case Id::Any:
  case Id::All:
    return emitVote;
  case Id::WarpScan:
    return emitWarpScan;
  case Id::Shuffle:
  case Id::ShuffleXor:
  case Id::ShuffleUp:
  case Id::ShuffleDown:
    return emitShuffle;
  case Id::MatchAny:
    return emitMatchAny;
  default:
    return nullptr;
  }
}

void spl::mir::emitCollective(FissionContext &fission, IntrinsicOp op) {
  static_assert(
      spl::intrinsics::handlesJust(
          emitterOf, [](const spl::intrinsics::Row &row) { return row.sync >= Sync::Warp; }),
      "each collective of the table is here");
  emitterOf(op.getRow().id)(fission, op);
}
