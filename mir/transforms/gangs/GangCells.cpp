// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/gangs/GangPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;

//===-- Places --===//

static bool addCellTypes(Type type, SmallVector<Type, 4> &cells) {
  constexpr size_t maxCells = 32;
  if (auto fields = dyn_cast<StructType>(type))
    return llvm::all_of(fields.getFields(), [&](Type field) { return addCellTypes(field, cells); });
  if (!hasLanes(type))
    return false;
  auto vector = dyn_cast<VectorType>(type);
  cells.append(vector ? vector.getNumElements() : 1, getElementTypeOrSelf(type));
  return cells.size() <= maxCells;
}

std::optional<SmallVector<Type, 4>> spl::mir::cellTypes(Type type) {
  SmallVector<Type, 4> cells;
  if (!addCellTypes(type, cells))
    return std::nullopt;
  return cells;
}

static Type elementOf(Value slice) { return cast<SliceType>(slice.getType()).getElement(); }

bool spl::mir::isLocal(const LaneShapes &shapes, Value slice) {
  Value root = rootOf(slice);
  return root.getDefiningOp<LocalOp>() && shapes.isVarying(root);
}

// A variable has one element, so each index is 0.
std::optional<Place> spl::mir::placeOf(const LaneShapes &shapes, Value slice) {
  Operation *op = slice.getDefiningOp();
  if (auto variable = dyn_cast_if_present<LocalOp>(op))
    return shapes.isVarying(slice) && variable.getCount() == 1 &&
                   cellTypes(variable.getType().getElement())
               ? std::optional(Place{variable, 0})
               : std::nullopt;
  if (auto view = dyn_cast_if_present<ReadOnlyOp>(op))
    return placeOf(shapes, view.getSlice());
  auto part = dyn_cast_if_present<PartOp>(op);
  if (!part || (!part.getField() && !part.isWhole()))
    return std::nullopt;
  std::optional<Place> place = placeOf(shapes, part.getSlice());
  if (place && part.getField())
    for (Type before :
         cast<StructType>(elementOf(part.getSlice())).getFields().take_front(*part.getField()))
      place->first += cellTypes(before)->size();
  return place;
}

bool spl::mir::isLaneCopy(const LaneShapes &shapes, Operation *op) {
  auto copy = dyn_cast<CopyOp>(op);
  if (!copy)
    return false;
  auto differs = [&](Value slice, ValueRange indices) {
    return !isLocal(shapes, slice) &&
           (shapes.isVarying(slice) ||
            llvm::any_of(indices, [&](Value index) { return !shapes.isUniform(index); }));
  };
  return differs(copy.getFrom(), copy.getFromIndices()) ||
         differs(copy.getTo(), copy.getToIndices());
}

//===-- Cells --===//

static ArrayRef<Value> cellsOf(Gang &gang, Place place, size_t count) {
  return ArrayRef(gang.cells[place.variable.getResult()]).slice(place.first, count);
}

static Value i64(Gang &gang, int64_t value) {
  return integer(gang, value, gang.builder.getI64Type());
}

static Values readCells(Gang &gang, const Place &place, size_t count) {
  Values values;
  for (Value cell : cellsOf(gang, place, count))
    values.push_back(LoadLanesOp::create(gang.builder, gang.loc, laneType(gang, elementOf(cell)),
                                         cell, i64(gang, 0), Value()));
  return values;
}

/// A cell is memory of the gang alone, so that its inactive lanes may be written again.
static void writeCells(Gang &gang, const Place &place, Values values) {
  if (gang.mask)
    values = selectEach(gang, gang.mask, values, readCells(gang, place, values.size()));
  for (auto [cell, value] : llvm::zip_equal(cellsOf(gang, place, values.size()), values))
    StoreLanesOp::create(gang.builder, gang.loc, value, cell, i64(gang, 0), Value());
}

//===-- Copies --===//

/// Emits \p scalar for each scalar of the element slice[indices]: with a slice that begins with it,
/// or with the vector that it is a lane of, an index, and the position of the lane or -1.
static void forEachScalar(Gang &gang, Value slice, ValueRange indices,
                          llvm::function_ref<void(Value, ValueRange, int64_t)> scalar) {
  Type element = elementOf(slice);
  if (auto fields = dyn_cast<StructType>(element)) {
    const bool isMut = cast<SliceType>(slice.getType()).getIsMut();
    Value zero = i64(gang, 0);
    for (auto [number, field] : llvm::enumerate(fields.getFields())) {
      auto type = SliceType::get(slice.getContext(), field, isMut, 1);
      Value part = PartOp::create(gang.builder, gang.loc, type, slice, indices,
                                  gang.builder.getI64IntegerAttr(int64_t(number)),
                                  /*unchecked=*/true);
      forEachScalar(gang, part, zero, scalar);
    }
    return;
  }
  auto vector = dyn_cast<VectorType>(element);
  if (!vector)
    return scalar(slice, indices, -1);
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
    scalar(slice, indices, lane);
}

/// Loads the scalars of the element slice[indices].
static Values loadScalars(Gang &gang, Value slice, ValueRange indices) {
  Values scalars;
  forEachScalar(gang, slice, indices, [&](Value place, ValueRange at, int64_t lane) {
    Value value = LoadOp::create(gang.builder, gang.loc, elementOf(place), place, at,
                                 /*unchecked=*/true);
    if (lane >= 0)
      value = vector::ExtractOp::create(gang.builder, gang.loc, value, lane);
    scalars.push_back(value);
  });
  return scalars;
}

static void storeScalars(Gang &gang, ValueRange scalars, Value slice, ValueRange indices) {
  size_t next = 0;
  Values lanes;
  forEachScalar(gang, slice, indices, [&](Value place, ValueRange at, int64_t lane) {
    Value value = scalars[next++];
    auto vector = dyn_cast<VectorType>(elementOf(place));
    if (vector) {
      lanes.push_back(value);
      if (lane + 1 != vector.getNumElements())
        return;
      value = vector::FromElementsOp::create(gang.builder, gang.loc, vector, lanes);
      lanes.clear();
    }
    StoreOp::create(gang.builder, gang.loc, value, place, at, /*unchecked=*/true);
  });
}

static Values inLane(Gang &gang, ValueRange values, Value lane) {
  Values scalars;
  for (Value value : values)
    scalars.push_back(valueInLane(gang, value, lane));
  return scalars;
}

/// Copies an element of memory to a place.
static void copyIn(Gang &gang, CopyOp copy, const Place &to) {
  const SmallVector<Type, 4> types = *cellTypes(elementOf(copy.getTo()));
  if (!isLaneCopy(gang.shapes, copy)) {
    Values values = loadScalars(gang, scalarOf(gang, copy.getFrom()),
                                inLane(gang, copy.getFromIndices(), Value()));
    for (Value &value : values)
      value = everywhere(gang, value);
    return writeCells(gang, to, values);
  }
  SmallVector<Type, 1> vectors;
  for (Type type : types)
    vectors.push_back(laneType(gang, type));
  Values values = forEachLane(gang, vectors, [&](Value lane, Value index, ValueRange results) {
    Values scalars = loadScalars(gang, valueInLane(gang, copy.getFrom(), lane),
                                 inLane(gang, copy.getFromIndices(), lane));
    for (auto [scalar, result] : llvm::zip_equal(scalars, results))
      scalar =
          vector::InsertOp::create(gang.builder, gang.loc, scalar, result, OpFoldResult(index));
    return scalars;
  });
  writeCells(gang, to, values);
}

/// Copies a place to an element of memory.
static void copyOut(Gang &gang, CopyOp copy, const Place &from) {
  Values values = readCells(gang, from, cellTypes(elementOf(copy.getFrom()))->size());
  forEachLane(gang, {}, [&](Value lane, Value index, ValueRange) {
    Values scalars;
    for (Value value : values)
      scalars.push_back(
          vector::ExtractOp::create(gang.builder, gang.loc, value, OpFoldResult(index)));
    storeScalars(gang, scalars, valueInLane(gang, copy.getTo(), lane),
                 inLane(gang, copy.getToIndices(), lane));
    return Values();
  });
}

void spl::mir::emitCells(Gang &gang, Operation *op) {
  if (auto variable = dyn_cast<LocalOp>(op)) {
    Values cells;
    const SmallVector<Type, 4> types = *cellTypes(variable.getType().getElement());
    for (Type type : types) {
      auto slice = SliceType::get(op->getContext(), type, /*isMut=*/true, 1);
      cells.push_back(LocalOp::create(gang.builder, gang.loc, slice, gang.lanes));
    }
    gang.cells[variable.getResult()] = cells;
    return;
  }
  if (auto load = dyn_cast<LoadOp>(op)) {
    const size_t count = laneTypes(gang, load.getType()).size();
    return bind(gang, load.getResult(),
                readCells(gang, *placeOf(gang.shapes, load.getSlice()), count));
  }
  if (auto store = dyn_cast<StoreOp>(op))
    return writeCells(gang, *placeOf(gang.shapes, store.getSlice()),
                      vectorsOf(gang, store.getValue()));
  auto copy = cast<CopyOp>(op);
  std::optional<Place> from = placeOf(gang.shapes, copy.getFrom()),
                       to = placeOf(gang.shapes, copy.getTo());
  if (!to)
    return copyOut(gang, copy, *from);
  if (!from)
    return copyIn(gang, copy, *to);
  writeCells(gang, *to, readCells(gang, *from, cellTypes(elementOf(copy.getTo()))->size()));
}
