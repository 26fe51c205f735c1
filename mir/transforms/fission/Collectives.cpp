// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective becomes a loop over the operands of all work-items, which are adjacent in memory. In
// a warp, the loop is over all 32 lanes, because a loop with a constant trip count vectorises well.
// Inactive lanes have the neutral element. Scans, and what a warp does with scalars, are
// operations on vectors.
#include "mir/transforms/fission/Collectives.h"
#include "intrinsics/Reductions.h"
#include "intrinsics/Rows.h"
#include "mir/transforms/GroupOperations.h"
#include "mir/transforms/fission/LaneExchanges.h"
#include "mir/transforms/fission/LaneVectors.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mir/transforms/fission/SideBySide.h"
#include "mir/transforms/fission/WarpLanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

//===-- Loops over operands in memory --===//

static Value neutral(FissionContext &fission, IntrinsicOp op) {
  return arith::ConstantOp::create(fission.builder, fission.loc, neutralElement(op));
}

/// The operation, as a function.
static auto combining(FissionContext &fission, IntrinsicOp op) {
  return [&fission, op](Value a, Value b) { return emitCombination(op, a, b, fission.builder); };
}

/// Combines the values from the first one on, or from the start of the array.
static Value reduceOver(FissionContext &fission, Value count, Value from, IntrinsicOp op,
                        Value first = {}) {
  return countTo(fission, count, neutral(fission, op),
                 [&](Value index, ValueRange partial) -> Values {
                   if (first)
                     index = fission.compute<arith::AddIOp>(first, index);
                   return {emitCombination(op, partial.front(), fission.load(from, index),
                                           fission.builder)};
                 })
      .getResult(0);
}

static Value isFirstOfSegment(FissionContext &fission, IntrinsicOp op, Value lane) {
  Value within = fission.compute<arith::AndIOp>(lane, fission.integer(op.segment() - 1));
  return arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::eq, within,
                               fission.integer(0));
}

/// Scans the values of all lanes but for the last few, in vectors. Returns how many, and their sum.
static std::pair<Value, Value> scanVectors(FissionContext &fission, Value count, Value from,
                                           Value to, IntrinsicOp op, Value start) {
  constexpr int64_t size = 16;
  const bool isCarried = op.segment() > size;
  const int64_t segment = isCarried ? size : op.segment();
  const auto combine = combining(fission, op);
  Value padding = everyLane(fission, neutral(fission, op), size);
  Value whole = fission.compute<arith::AndIOp>(count, fission.integer(-size));
  auto loop = scf::ForOp::create(fission.builder, fission.loc, fission.integer(0), whole,
                                 fission.integer(size), start);
  OpBuilder::InsertionGuard guard(fission.builder);
  fission.builder.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), before = loop.getRegionIterArg(0);
  Value sums = scanLanes(fission, loadLanes(fission, from, index, size), padding, segment, combine);
  Value results = op.getExclusive() ? moveUp(fission, sums, padding, 1, segment) : sums;
  storeLanes(fission, combine(everyLane(fission, before, size), results), to, index);
  Value after = isCarried ? combine(before, extractLane(fission, sums, size - 1)) : before;
  scf::YieldOp::create(fission.builder, fission.loc, after);
  return {whole, loop.getResult(0)};
}

static void scanOver(FissionContext &fission, Value count, Value from, Value to, IntrinsicOp op) {
  Value start = neutral(fission, op), first = fission.integer(0);
  if (op.getExclusive())
    start = fission.zeroOf(op.getType());
  Value before = start;
  if (fitsLanes(op.getType()))
    std::tie(first, before) = scanVectors(fission, count, from, to, op, start);
  Value left = fission.compute<arith::SubIOp>(count, first);
  countTo(fission, left, before, [&](Value number, ValueRange carried) -> Values {
    Value index = fission.compute<arith::AddIOp>(first, number);
    Value before = carried.front();
    if (op.getWidth()) // each segment begins anew
      before = arith::SelectOp::create(fission.builder, fission.loc,
                                       isFirstOfSegment(fission, op, index), start, before);
    Value sum = emitCombination(op, before, fission.load(from, index), fission.builder);
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

//===-- Groups side by side --===//

/// Emits a loop over the groups that run side by side.
static void forEachGroup(FissionContext &fission, llvm::function_ref<void(Value)> body) {
  auto loop = countTo(fission, fission.sizes[0], {}, [&](Value group, ValueRange) -> Values {
    body(group);
    return {};
  });
  markGroups(fission, loop);
}

/// Emits a loop over the work-items of a group, and in it one over the groups. The body gets the
/// place of the work-item's values in memory, and the number of its group.
static void forEachOfGroups(FissionContext &fission,
                            llvm::function_ref<void(Value place, Value group)> body) {
  Value count = fission.compute<arith::MulIOp>(fission.sizes[1], fission.sizes[2]);
  countTo(fission, count, {}, [&](Value item, ValueRange) -> Values {
    Value row = fission.compute<arith::MulIOp>(item, fission.sizes[0]);
    forEachGroup(fission,
                 [&](Value group) { body(fission.compute<arith::AddIOp>(row, group), group); });
    return {};
  });
}

static void storeAt(FissionContext &fission, Value value, Value slots, Value index) {
  StoreOp::create(fission.builder, fission.loc, value, slots, index, /*unchecked=*/true);
}

/// A reduction or scan in each group.
static void emitInEachGroup(FissionContext &fission, IntrinsicOp op) {
  const bool isScan = op.getRow().id == Id::GroupScan;
  Value all = gatherInGroup(fission, op.getOperand(0)), results = newSlots(fission, op.getType()),
        partial = newSlots(fission, op.getType());
  Value start = isScan && op.getExclusive() ? fission.zeroOf(op.getType()) : neutral(fission, op);
  forEachGroup(fission, [&](Value group) { storeAt(fission, start, partial, group); });
  forEachOfGroups(fission, [&](Value place, Value group) {
    Value before = fission.load(partial, group);
    Value after = emitCombination(op, before, fission.load(all, place), fission.builder);
    storeAt(fission, after, partial, group);
    if (isScan)
      storeAt(fission, op.getExclusive() ? before : after, results, place);
  });
  if (!isScan)
    forEachOfGroups(fission, [&](Value place, Value group) {
      storeAt(fission, fission.load(partial, group), results, place);
    });
  fission.group.saved[op.getResult()] = results;
}

static void emitBroadcastInEachGroup(FissionContext &fission, IntrinsicOp op) {
  Value all = gatherInGroup(fission, op.getOperand(0)), results = newSlots(fission, op.getType());
  forEach(fission, [&](Item &item) {
    Value first =
        fission.compute<arith::MulIOp>(valueFor(fission, op.getOperand(1), item), fission.sizes[0]);
    Value place = fission.compute<arith::AddIOp>(first, item.ids[0]);
    store(fission, fission.load(all, place), results, item);
  });
  fission.group.saved[op.getResult()] = results;
}

//===-- Warps --===//

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
  std::optional<vector::CombiningKind> kind = combiningKind(op);
  if (op.getWidth() && isOnVectors(fission, op))
    return setLanes(
        fission, op,
        combineLanes(fission, vectorOf(fission, all), op.segment(), combining(fission, op)));
  if (op.getWidth()) {
    resultForEach(fission, op, [&](Item &item) {
      Value first = fission.compute<arith::AndIOp>(item.lane, fission.integer(-op.segment()));
      return reduceOver(fission, fission.integer(op.segment()), all, op, first);
    });
    return;
  }
  Value result;
  if (kind && fission.lanes.areRow)
    // The language does not define the order of a sum.
    result = vector::ReductionOp::create(fission.builder, fission.loc, *kind,
                                         vectorOf(fission, all), arith::FastMathFlags::reassoc);
  else if (isOnVectors(fission, op))
    result = extractLane(
        fission,
        combineLanes(fission, vectorOf(fission, all), op.segment(), combining(fission, op)), 0);
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
  const Id id = op.getRow().id;
  if (id == Id::Barrier || !sideBySide(fission.kernel))
    return emitterOf(id)(fission, op);
  return id == Id::GroupBroadcast ? emitBroadcastInEachGroup(fission, op)
                                  : emitInEachGroup(fission, op);
}
