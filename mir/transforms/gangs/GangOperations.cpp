// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations without regions.
#include "mir/transforms/gangs/AdjacentVectors.h"
#include "mir/transforms/gangs/FetchAhead.h"
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/gangs/GangDivisions.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mir/transforms/gangs/KeptLoads.h"
#include "mir/transforms/gangs/LikelyAdjacent.h"
#include "mir/transforms/gangs/NearlyLinear.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;

//===-- Once --===//

/// Removes the promises that the arithmetic does not overflow. They hold for active lanes. Lane 0
/// may be inactive, and all may be in code that runs although no lane takes its branch.
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
  if (gang.isSpeculated || (isLaneZero && gang.mask))
    dropPromises(copy);
}

//===-- Lanewise --===//

static void emitLanewise(Gang &gang, Operation *op) {
  Value result = op->getResult(0);
  noteDivision(gang, op);
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
    auto part = [&, index = index](const Values &values) {
      return values[values.size() == 1 ? 0 : index];
    };
    if (isSlowDivision(op)) {
      parts.push_back(emitDivision(gang, op, part(operands[0]), part(operands[1])));
      continue;
    }
    Operation *copy = op->clone();
    for (auto [number, values] : llvm::enumerate(operands))
      copy->setOperand(number, part(values));
    copy->getResult(0).setType(type);
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

/// Whether the slice is memory of the thread with an element for each lane of a warp. Elements of
/// inactive lanes may be read, and written again. Without a mask, LLVM keeps them in registers.
static bool isSlots(Gang &gang, Value slice) {
  auto memory = slice.getDefiningOp<LocalOp>();
  return memory && gang.shapes.isUniform(slice) && !gang.isFew &&
         int64_t(memory.getCount()) == gang.lanes;
}

static void emitAdjacent(Gang &gang, Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    fetchAhead(gang, load);
    Value slice = scalarOf(gang, load.getSlice());
    Value loaded = LoadLanesOp::create(gang.builder, op->getLoc(), laneType(gang, load.getType()),
                                       slice, scalarsOf(gang, load.getIndices()),
                                       isSlots(gang, slice) ? Value() : gang.mask);
    return bind(gang, load.getResult(), loaded);
  }
  auto store = cast<StoreOp>(op);
  Value slice = scalarOf(gang, store.getSlice()), value = vectorsOf(gang, store.getValue()).front(),
        mask = gang.mask;
  const Values indices = scalarsOf(gang, store.getIndices());
  if (mask && isSlots(gang, slice)) {
    Value old =
        LoadLanesOp::create(gang.builder, op->getLoc(), value.getType(), slice, indices, Value());
    value = arith::SelectOp::create(gang.builder, op->getLoc(), mask, value, old);
    mask = Value();
  }
  StoreLanesOp::create(gang.builder, op->getLoc(), value, slice, indices, mask);
}

/// The indices for each lane. Those that are the same for all lanes stay scalars.
static Values laneIndices(Gang &gang, ValueRange indices) {
  Values values;
  for (Value index : indices)
    values.push_back(gang.shapes.isUniform(index) ? scalarOf(gang, index)
                                                  : vectorsOf(gang, index).front());
  return values;
}

/// Emits a load that is not of adjacent scalars: of adjacent vectors, of elements that a test finds
/// adjacent, or of others.
static Values emitGather(Gang &gang, LoadOp load) {
  Type element = load.getType();
  if (isOfAdjacentVectors(gang, load.getSlice(), load.getIndices(), element))
    return loadVectors(gang, load);
  const SmallVector<Type, 1> types = laneTypes(gang, element);
  Value slice = scalarOf(gang, load.getSlice());
  auto gather = [&] {
    Values parts, indices = laneIndices(gang, load.getIndices());
    for (auto [number, type] : llvm::enumerate(types)) {
      IntegerAttr component;
      if (isa<VectorType>(element))
        component = gang.builder.getI64IntegerAttr(int64_t(number));
      parts.push_back(GatherLanesOp::create(gang.builder, gang.loc, type, slice, indices, gang.mask,
                                            component));
    }
    return parts;
  };
  const std::optional<AdjacencyTest> test =
      testElements(gang, load.getSlice(), load.getIndices(), element);
  if (!test)
    return gather();
  auto loadAdjacent = [&] {
    return Values{
        LoadLanesOp::create(gang.builder, gang.loc, types.front(), slice, test->first, gang.mask)};
  };
  return emitEither(gang, test->holds, types, loadAdjacent, gather);
}

static void emitScatter(Gang &gang, StoreOp store) {
  const Values parts = vectorsOf(gang, store.getValue());
  Type element = store.getValue().getType();
  if (isOfAdjacentVectors(gang, store.getSlice(), store.getIndices(), element))
    return storeVectors(gang, store, parts);
  Value slice = scalarOf(gang, store.getSlice());
  auto scatter = [&] {
    Values indices = laneIndices(gang, store.getIndices());
    for (auto [number, part] : llvm::enumerate(parts)) {
      IntegerAttr component;
      if (isa<VectorType>(element))
        component = gang.builder.getI64IntegerAttr(int64_t(number));
      ScatterLanesOp::create(gang.builder, gang.loc, part, slice, indices, gang.mask, component);
    }
    return Values();
  };
  const std::optional<AdjacencyTest> test =
      testElements(gang, store.getSlice(), store.getIndices(), element);
  if (!test)
    return void(scatter());
  auto storeAdjacent = [&] {
    StoreLanesOp::create(gang.builder, gang.loc, parts.front(), slice, test->first, gang.mask);
    return Values();
  };
  emitEither(gang, test->holds, {}, storeAdjacent, scatter);
}

//===-- Loops over lanes --===//

Value spl::mir::elementInLane(Gang &gang, Value vector, Value lane) {
  Value &memory = gang.inMemory[vector];
  if (!memory) {
    OpBuilder::InsertionGuard guard(gang.builder);
    if (gang.laneLoop)
      gang.builder.setInsertionPoint(gang.laneLoop);
    Type scalar = cast<VectorType>(vector.getType()).getElementType();
    memory = allocateLanes(gang, scalar);
    StoreLanesOp::create(gang.builder, gang.loc, firstLanes(gang, vector), memory,
                         integer(gang, 0, gang.builder.getI64Type()), Value());
  }
  return LoadOp::create(gang.builder, gang.loc, cast<VectorType>(vector.getType()).getElementType(),
                        memory, lane,
                        /*unchecked=*/true);
}

Values spl::mir::forEachLane(Gang &gang, ArrayRef<Type> types,
                             llvm::function_ref<Values(Value)> body) {
  OpBuilder &builder = gang.builder;
  Location loc = gang.loc;
  Type i64 = builder.getI64Type();
  Value zero = integer(gang, 0, i64);
  Values results;
  for (Type type : types) {
    results.push_back(allocateLanes(gang, cast<VectorType>(type).getElementType()));
    if (gang.mask)
      StoreLanesOp::create(builder, loc, zerosOf(gang, type).front(), results.back(), zero,
                           Value());
  }
  auto loop =
      scf::ForOp::create(builder, loc, zero, integer(gang, gang.lanes, i64), integer(gang, 1, i64));
  loop->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
  {
    OpBuilder::InsertionGuard guard(builder);
    gang.laneLoop = loop;
    gang.inMemory.clear();
    builder.setInsertionPointToStart(loop.getBody());
    Value lane = loop.getInductionVar();
    if (gang.mask) {
      auto branch = scf::IfOp::create(builder, loc, elementInLane(gang, gang.mask, lane),
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    for (auto [value, memory] : llvm::zip_equal(body(lane), results))
      StoreOp::create(builder, loc, value, memory, lane, /*unchecked=*/true);
    gang.laneLoop = nullptr;
  }
  Values vectors;
  for (auto [type, memory] : llvm::zip_equal(types, results))
    vectors.push_back(LoadLanesOp::create(builder, loc, type, memory, zero, Value()));
  return vectors;
}

/// Clones the operation for one lane, with other values for the operands in \p operands.
static Operation *cloneInLane(Gang &gang, Operation *op, Value lane, IRMapping operands = {}) {
  for (Value operand : op->getOperands())
    if (!operands.contains(operand))
      operands.map(operand, valueInLane(gang, operand, lane));
  return gang.builder.clone(*op, operands);
}

static void emitEachLane(Gang &gang, Operation *op) {
  SmallVector<Type, 1> types;
  const bool isUsed = !op->use_empty();
  if (isUsed)
    types = laneTypes(gang, op->getResult(0).getType());
  Values vectors = forEachLane(gang, types, [&](Value lane) {
    Operation *copy = cloneInLane(gang, op, lane);
    Values scalars;
    for (Value result : copy->getResults().take_front(types.empty() ? 0 : 1)) {
      auto vector = dyn_cast<VectorType>(result.getType());
      if (!vector)
        scalars.push_back(result);
      for (int64_t number = 0; vector && number < vector.getNumElements(); ++number)
        scalars.push_back(vector::ExtractOp::create(gang.builder, gang.loc, result, number));
    }
    return scalars;
  });
  if (isUsed)
    bind(gang, op->getResult(0), vectors);
}

//===-- Checks --===//

/// The number of the first lane that is set.
static Value firstOf(Gang &gang, Value lanes) {
  Type i32 = gang.builder.getI32Type();
  Value numbers = laneNumbers(gang, i32), none = integer(gang, gang.lanes, laneType(gang, i32));
  Value candidates = arith::SelectOp::create(gang.builder, gang.loc, lanes, numbers, none);
  Value first =
      vector::ReductionOp::create(gang.builder, gang.loc, vector::CombiningKind::MINUI, candidates);
  return arith::ExtUIOp::create(gang.builder, gang.loc, gang.builder.getI64Type(), first);
}

/// Reports the fault of the first active lane whose check fails. The others are not reported, as
/// those of other work-items are not.
static void emitCheck(Gang &gang, CheckOp check) {
  Value condition = check.getCondition();
  const bool isUniform = gang.shapes.isUniform(condition);
  Value never = integer(gang, 0, gang.builder.getI1Type());
  auto isFalse = [&](Value value) -> Value {
    return arith::CmpIOp::create(gang.builder, gang.loc, arith::CmpIPredicate::eq, value, never);
  };
  OpBuilder::InsertionGuard guard(gang.builder);
  auto enterIf = [&](Value value) {
    auto branch = scf::IfOp::create(gang.builder, gang.loc, value, /*withElseRegion=*/false);
    gang.builder.setInsertionPointToStart(branch.thenBlock());
  };
  Value failing = gang.mask;
  if (isUniform) {
    enterIf(isFalse(scalarOf(gang, condition)));
  } else {
    if (!gang.mask)
      enterIf(isFalse(holdsInAll(gang, condition)));
    else if (Value holds = gang.isWarp ? isBelowInAll(gang, condition) : Value())
      // Nearly always false, and faster than to test a vector. Not in other loops: LLVM splits
      // those at the limits of their checks, and would then split them twice.
      enterIf(isFalse(holds));
    failing = activeIf(gang, condition, /*holds=*/false);
    enterIf(anyOf(gang, failing));
  }
  Value lane = failing ? firstOf(gang, failing) : integer(gang, 0, gang.builder.getI64Type());
  gang.inMemory.clear();
  IRMapping operands;
  operands.map(condition, never);
  cloneInLane(gang, check, lane, operands);
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
    case Way::Scattered:
      if (auto load = dyn_cast<LoadOp>(op))
        bind(gang, load.getResult(), emitKept(gang, load, [&] { return emitGather(gang, load); }));
      else
        emitScatter(gang, cast<StoreOp>(op));
      break;
    case Way::EachLane:
      emitEachLane(gang, &op);
      break;
    case Way::Check:
      emitCheck(gang, cast<CheckOp>(op));
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
