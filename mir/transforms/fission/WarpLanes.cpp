// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/WarpLanes.h"
#include "mir/transforms/fission/LaneVectors.h"
#include "mir/transforms/fission/SavedContext.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;

scf::ForOp spl::mir::countTo(FissionContext &fission, Value count, ValueRange inits,
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

Value spl::mir::vectorOf(FissionContext &fission, Value slots) {
  return loadLanes(fission, slots, fission.integer(0), FissionContext::warpSize);
}

bool spl::mir::isOnVectors(FissionContext &fission, IntrinsicOp op) {
  return fission.lanes.areRow && fitsLanes(op.getOperand(0).getType());
}

void spl::mir::setLanes(FissionContext &fission, IntrinsicOp op, Value lanes) {
  Value results = newSlots(fission, op.getType());
  storeLanes(fission, lanes, results, fission.integer(0));
  fission.warp.saved[op.getResult()] = results;
}

Value spl::mir::bitsOf(FissionContext &fission, Value lanes) {
  auto type = VectorType::get(1, fission.builder.getI32Type());
  return extractLane(fission, vector::BitCastOp::create(fission.builder, fission.loc, type, lanes),
                     0);
}

Value spl::mir::addToMask(FissionContext &fission, Value mask, Value lane, Value isIn) {
  Type i32 = fission.builder.getI32Type();
  Value bit = arith::ExtUIOp::create(fission.builder, fission.loc, i32, isIn);
  Value shift = arith::TruncIOp::create(fission.builder, fission.loc, i32, lane);
  return fission.compute<arith::OrIOp>(mask, fission.compute<arith::ShLIOp>(bit, shift));
}

static Item itemOf(FissionContext &fission, Value lane) {
  Item item;
  item.lane = lane;
  item.flat = fission.compute<arith::AddIOp>(fission.lanes.first, lane);
  return item;
}

/// A ballot of lanes that all exist: their conditions are the bits of an integer.
static Value ballotOfRow(FissionContext &fission, llvm::function_ref<Value(Item &)> condition) {
  Value slots = newSlots(fission, fission.builder.getI1Type());
  countTo(fission, fission.integer(FissionContext::warpSize), {},
          [&](Value lane, ValueRange) -> Values {
            Item item = itemOf(fission, lane);
            // The condition of an inactive lane may be undefined.
            Value has = condition(item);
            if (!fission.lanes.areAll)
              has = arith::SelectOp::create(fission.builder, fission.loc, isActive(fission, lane),
                                            has, fission.integer(0, 1));
            StoreOp::create(fission.builder, fission.loc, has, slots, lane, /*unchecked=*/true);
            return {};
          });
  return bitsOf(fission, vectorOf(fission, slots));
}

Value spl::mir::ballot(FissionContext &fission, llvm::function_ref<Value(Item &)> condition) {
  if (fission.lanes.areRow)
    return ballotOfRow(fission, condition);
  auto lanes = countTo(fission, fission.integer(FissionContext::warpSize), fission.integer(0, 32),
                       [&](Value lane, ValueRange partial) -> Values {
                         Item item = itemOf(fission, lane);
                         // The condition of an inactive lane may be undefined.
                         Value here = isActive(fission, lane);
                         Value has =
                             arith::SelectOp::create(fission.builder, fission.loc, here,
                                                     condition(item), fission.integer(0, 1));
                         return {addToMask(fission, partial.front(), lane, has)};
                       });
  return lanes.getResult(0);
}

Value spl::mir::hasAny(FissionContext &fission, Value lanes) {
  return arith::CmpIOp::create(fission.builder, fission.loc, arith::CmpIPredicate::ne, lanes,
                               fission.integer(0, 32));
}

Value spl::mir::ballot(FissionContext &fission, Value condition) {
  return ballot(fission, [&](Item &item) { return valueFor(fission, condition, item); });
}

Value spl::mir::gather(FissionContext &fission, Value value, Value padding) {
  Value place = newSlots(fission, value.getType());
  countTo(fission, fission.integer(FissionContext::warpSize), {},
          [&](Value lane, ValueRange) -> Values {
            Item item = itemOf(fission, lane);
            Value own = valueFor(fission, value, item);
            Value here = isActive(fission, lane);
            StoreOp::create(
                fission.builder, fission.loc,
                arith::SelectOp::create(fission.builder, fission.loc, here, own, padding), place,
                lane, /*unchecked=*/true);
            return {};
          });
  return place;
}

void spl::mir::resultForEach(FissionContext &fission, IntrinsicOp op,
                             llvm::function_ref<Value(Item &)> result) {
  Value results = newSlots(fission, op.getType());
  forEach(fission, [&](Item &item) { store(fission, result(item), results, item); });
  fission.warp.saved[op.getResult()] = results;
}
