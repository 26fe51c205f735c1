// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations without regions.
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/gangs/GangPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;

//===-- Once --===//

/// Removes the promises that the arithmetic does not overflow. They hold for active lanes, and lane
/// 0 may be inactive.
static void dropPromises(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(
        flags.getIntegerOverflowAttrName(),
        arith::IntegerOverflowFlagsAttr::get(op->getContext(), arith::IntegerOverflowFlags::none));
}

static void emitOnce(Gang &gang, Operation *op) {
  // The operand that is not chosen may vary, and have no scalar.
  if (Value chosen = LaneShapes::chosen(op))
    return gang.scalars.map(op->getResult(0), scalarOf(gang, chosen));
  Operation *copy = gang.builder.clone(*op, gang.scalars);
  const bool isLaneZero = llvm::any_of(
      op->getOperands(), [&](Value operand) { return !gang.shapes.isUniform(operand); });
  if (isLaneZero && (gang.mask || gang.isSpeculated))
    dropPromises(copy);
}

//===-- Lanewise --===//

/// The operands of a division, where those of inactive lanes are replaced by 1.
static void makeDivisible(Gang &gang, Operation *division) {
  for (OpOperand &operand : division->getOpOperands()) {
    Value one = integer(gang, 1, operand.get().getType());
    operand.set(arith::SelectOp::create(gang.builder, gang.loc, gang.mask, operand.get(), one));
  }
}

static void emitLanewise(Gang &gang, Operation *op) {
  Value result = op->getResult(0);
  const SmallVector<Type, 1> types = laneTypes(gang, result.getType());
  SmallVector<Values, 3> operands;
  for (Value operand : op->getOperands()) {
    // The condition of a selection may be one for all lanes, and one for all parts.
    if (isa<arith::SelectOp>(op) && operand == op->getOperand(0) &&
        !isa<VectorType>(operand.getType()) && gang.shapes.isUniform(operand))
      operands.push_back({scalarOf(gang, operand)});
    else
      operands.push_back(vectorsOf(gang, operand));
  }
  Values parts;
  for (auto [index, type] : llvm::enumerate(types)) {
    Operation *copy = op->clone();
    for (auto [number, values] : llvm::enumerate(operands))
      copy->setOperand(number, values[values.size() == 1 ? 0 : index]);
    copy->getResult(0).setType(type);
    if (gang.mask && isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
      makeDivisible(gang, copy);
    gang.builder.insert(copy);
    parts.push_back(copy->getResult(0));
  }
  bind(gang, result, parts);
}

static void emitParts(Gang &gang, Operation *op) {
  Value result = op->getResult(0);
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return bind(gang, result, vectorsOf(gang, extract.getSource())[*positionOf(op)]);
  if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    Values parts = vectorsOf(gang, insert.getDest());
    parts[*positionOf(op)] = vectorsOf(gang, insert.getValueToStore()).front();
    return bind(gang, result, parts);
  }
  Values parts;
  if (auto elements = dyn_cast<vector::FromElementsOp>(op))
    for (Value element : elements.getElements())
      parts.push_back(vectorsOf(gang, element).front());
  else
    parts.assign(cast<VectorType>(result.getType()).getNumElements(),
                 vectorsOf(gang, cast<vector::BroadcastOp>(op).getSource()).front());
  bind(gang, result, parts);
}

//===-- Memory --===//

static Values scalarsOf(Gang &gang, ValueRange values) {
  Values scalars;
  for (Value value : values)
    scalars.push_back(scalarOf(gang, value));
  return scalars;
}

static void emitAdjacent(Gang &gang, Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    Value loaded = LoadLanesOp::create(gang.builder, op->getLoc(), laneType(gang, load.getType()),
                                       scalarOf(gang, load.getSlice()),
                                       scalarsOf(gang, load.getIndices()), gang.mask);
    return bind(gang, load.getResult(), loaded);
  }
  auto store = cast<StoreOp>(op);
  StoreLanesOp::create(gang.builder, op->getLoc(), vectorsOf(gang, store.getValue()).front(),
                       scalarOf(gang, store.getSlice()), scalarsOf(gang, store.getIndices()),
                       gang.mask);
}

Values spl::mir::forEachLane(Gang &gang, ArrayRef<Type> types,
                             llvm::function_ref<Values(Value, Value, ValueRange)> body) {
  OpBuilder &builder = gang.builder;
  Location loc = gang.loc;
  Type i64 = builder.getI64Type();
  auto loop =
      scf::ForOp::create(builder, loc, integer(gang, 0, i64), integer(gang, gang.lanes, i64),
                         integer(gang, 1, i64), zerosOf(gang, types));
  loop->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
  OpBuilder::InsertionGuard guard(builder);
  if (types.empty())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToEnd(loop.getBody());
  Value lane = loop.getInductionVar();
  Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), lane);
  ValueRange results = loop.getRegionIterArgs();
  if (!gang.mask) {
    scf::YieldOp::create(builder, loc, body(lane, index, results));
    return Values(loop.getResults());
  }
  Value isActive = vector::ExtractOp::create(builder, loc, gang.mask, OpFoldResult(index));
  auto branch = scf::IfOp::create(builder, loc, types, isActive, /*addThenBlock=*/true,
                                  /*addElseBlock=*/!types.empty());
  builder.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(builder, loc, body(lane, index, results));
  if (!types.empty()) {
    builder.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(builder, loc, results);
  }
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc, branch.getResults());
  return Values(loop.getResults());
}

static void emitEachLane(Gang &gang, Operation *op) {
  SmallVector<Type, 1> types;
  if (op->getNumResults() != 0)
    types = laneTypes(gang, op->getResult(0).getType());
  Values vectors = forEachLane(gang, types, [&](Value lane, Value index, ValueRange results) {
    IRMapping operands;
    for (Value operand : op->getOperands())
      operands.map(operand, valueInLane(gang, operand, lane));
    Operation *copy = gang.builder.clone(*op, operands);
    Values next(results);
    for (auto [number, vector] : llvm::enumerate(next)) {
      Value value = copy->getResult(0);
      if (isa<VectorType>(value.getType()))
        value = vector::ExtractOp::create(gang.builder, gang.loc, value, int64_t(number));
      vector = vector::InsertOp::create(gang.builder, gang.loc, value, vector, OpFoldResult(index));
    }
    return next;
  });
  if (!types.empty())
    bind(gang, op->getResult(0), vectors);
}

//===-- Blocks --===//

void spl::mir::emit(Gang &gang, Block &block) {
  for (Operation &op : block.without_terminator()) {
    gang.loc = op.getLoc();
    switch (wayOf(gang.shapes, &op)) {
    case Way::Control:
      emitControlFlow(gang, &op);
      break;
    case Way::Once:
      emitOnce(gang, &op);
      break;
    case Way::Adjacent:
      emitAdjacent(gang, &op);
      break;
    case Way::Lanewise:
      emitLanewise(gang, &op);
      break;
    case Way::Parts:
      emitParts(gang, &op);
      break;
    case Way::EachLane:
      emitEachLane(gang, &op);
      break;
    case Way::Cells:
      emitCells(gang, &op);
      break;
    case Way::View:
      break;
    case Way::Never:
      llvm_unreachable("the plan excludes it");
    }
  }
}
