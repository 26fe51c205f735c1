// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/GangCells.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/gangs/GangWays.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace spl::mir;

//===-- Places --===//

static bool addCellTypes(Type type, int64_t rows, SmallVector<CellType, 4> &cells) {
  constexpr size_t maxCells = 32;
  if (auto array = dyn_cast<ArrayType>(type))
    return addCellTypes(array.getElement(), rows * int64_t(array.getCount()), cells);
  if (auto fields = dyn_cast<StructType>(type))
    return llvm::all_of(fields.getFields(),
                        [&](Type field) { return addCellTypes(field, rows, cells); });
  if (!hasLanes(type))
    return false;
  auto vector = dyn_cast<VectorType>(type);
  cells.append(vector ? vector.getNumElements() : 1, {getElementTypeOrSelf(type), rows});
  return cells.size() <= maxCells;
}

std::optional<SmallVector<CellType, 4>> spl::mir::cellTypes(Type type) {
  SmallVector<CellType, 4> cells;
  if (!addCellTypes(type, 1, cells))
    return std::nullopt;
  return cells;
}

static Type elementOf(Value slice) { return cast<SliceType>(slice.getType()).getElement(); }

namespace {
struct Scalar {
  unsigned cell;
  int64_t row;
};
} // namespace

/// Adds the scalars of a type in the order of memory.
static void addScalars(Type type, unsigned cell, int64_t row, SmallVector<Scalar> &scalars) {
  if (auto array = dyn_cast<ArrayType>(type)) {
    const auto count = int64_t(array.getCount());
    for (int64_t number = 0; number < count; ++number)
      addScalars(array.getElement(), cell, row * count + number, scalars);
  } else if (auto fields = dyn_cast<StructType>(type)) {
    for (Type field : fields.getFields()) {
      addScalars(field, cell, row, scalars);
      cell += cellTypes(field)->size();
    }
  } else {
    auto vector = dyn_cast<VectorType>(type);
    for (int64_t lane = 0; lane < (vector ? vector.getNumElements() : 1); ++lane)
      scalars.push_back({unsigned(cell + lane), row});
  }
}

static SmallVector<Scalar> scalarsOf(Type type) {
  SmallVector<Scalar> scalars;
  addScalars(type, 0, 0, scalars);
  return scalars;
}

/// Whether a copy of the type is so short that it can be one load or store for each scalar.
static bool isShort(Type type) {
  constexpr int64_t maxScalars = 32;
  std::optional<SmallVector<CellType, 4>> cells = cellTypes(type);
  int64_t count = 0;
  for (const CellType &cell : cells.value_or(SmallVector<CellType, 4>()))
    count += cell.rows;
  return cells && count <= maxScalars;
}

bool spl::mir::isLocal(const LaneShapes &shapes, Value slice) {
  Value root = rootOf(slice);
  return root.getDefiningOp<LocalOp>() && shapes.isVarying(root);
}

std::optional<Place> spl::mir::placeOf(const LaneShapes &shapes, Value slice, Value index) {
  Operation *op = slice.getDefiningOp();
  if (auto variable = dyn_cast_if_present<LocalOp>(op)) {
    Type element = variable.getType().getElement();
    if (!shapes.isVarying(slice) || !cellTypes(element))
      return std::nullopt;
    Place place{variable, 0, {}};
    if (variable.getCount() != 1)
      place.steps.push_back({index, element, 0});
    return place;
  }
  if (auto view = dyn_cast_if_present<ReadOnlyOp>(op))
    return placeOf(shapes, view.getSlice(), index);
  auto part = dyn_cast_if_present<PartOp>(op);
  if (!part || part.getIndices().size() != 1)
    return std::nullopt;
  std::optional<Place> place = placeOf(shapes, part.getSlice(), part.getIndices().front());
  if (!place || part.isWhole())
    return place;
  Type whole = elementOf(part.getSlice());
  if (auto array = dyn_cast<ArrayType>(whole)) {
    place->steps.push_back({index, array.getElement(), place->first});
    return place;
  }
  if (!part.getField())
    return std::nullopt; // a lane of a vector
  for (Type before : cast<StructType>(whole).getFields().take_front(*part.getField()))
    place->first += cellTypes(before)->size();
  return place;
}

bool spl::mir::canUseCells(const LaneShapes &shapes, Operation *op) {
  if (auto variable = dyn_cast<LocalOp>(op))
    return cellTypes(variable.getType().getElement()).has_value();
  if (auto load = dyn_cast<LoadOp>(op))
    return placeOf(shapes, load.getSlice(), load.getIndices().front()) && hasLanes(load.getType());
  if (auto store = dyn_cast<StoreOp>(op))
    return placeOf(shapes, store.getSlice(), store.getIndices().front()) &&
           hasLanes(store.getValue().getType());
  auto copy = dyn_cast<CopyOp>(op);
  if (!copy)
    return false;
  const bool fromLocal = isLocal(shapes, copy.getFrom()), toLocal = isLocal(shapes, copy.getTo());
  auto hasPlace = [&](Value slice, ValueRange indices) {
    return placeOf(shapes, slice, indices.front()).has_value();
  };
  return (!fromLocal || hasPlace(copy.getFrom(), copy.getFromIndices())) &&
         (!toLocal || hasPlace(copy.getTo(), copy.getToIndices())) &&
         ((fromLocal && toLocal) || isShort(elementOf(copy.getFrom())));
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

static Value i64(Gang &gang, int64_t value) {
  return integer(gang, value, gang.builder.getI64Type());
}

/// The index in a cell of the first lane of a row of the place: a scalar, or a vector if the row
/// differs between lanes. \p row counts from the first row of the place, and \p number is that of
/// the cell in the variable.
static Value rowOf(Gang &gang, const Place &place, unsigned number, int64_t row) {
  Value index = i64(gang, row * gang.lanes);
  for (const Place::Step &step : place.steps) {
    const int64_t rows = (*cellTypes(step.element))[number - step.first].rows;
    const bool isVector = !gang.shapes.isUniform(step.index);
    Value own = isVector ? vectorsOf(gang, step.index).front() : scalarOf(gang, step.index);
    own = arith::MulIOp::create(gang.builder, gang.loc, own,
                                integer(gang, rows * gang.lanes, own.getType()));
    if (isVector && !isa<VectorType>(index.getType()))
      index = everywhere(gang, index);
    else if (!isVector && isa<VectorType>(index.getType()))
      own = everywhere(gang, own);
    index = arith::AddIOp::create(gang.builder, gang.loc, index, own);
  }
  return index;
}

/// The index in a cell for each lane.
static Value withLane(Gang &gang, Value row) {
  return arith::AddIOp::create(gang.builder, gang.loc, row,
                               laneNumbers(gang, gang.builder.getI64Type()));
}

static Value cellOf(Gang &gang, Place place, unsigned number) {
  return gang.cells[place.variable.getResult()][number];
}

static Value readRow(Gang &gang, const Place &place, unsigned number, int64_t row) {
  Value cell = cellOf(gang, place, number), index = rowOf(gang, place, number, row);
  VectorType type = laneType(gang, elementOf(cell));
  if (!isa<VectorType>(index.getType()))
    return LoadLanesOp::create(gang.builder, gang.loc, type, cell, index, Value());
  return GatherLanesOp::create(gang.builder, gang.loc, type, cell, withLane(gang, index), gang.mask,
                               IntegerAttr());
}

/// A row is memory of the gang alone, so that its inactive lanes may be written again.
static void writeRow(Gang &gang, const Place &place, unsigned number, int64_t row, Value value) {
  Value cell = cellOf(gang, place, number), index = rowOf(gang, place, number, row);
  if (isa<VectorType>(index.getType())) {
    ScatterLanesOp::create(gang.builder, gang.loc, value, cell, withLane(gang, index), gang.mask,
                           IntegerAttr());
    return;
  }
  if (gang.mask)
    value = arith::SelectOp::create(
        gang.builder, gang.loc, gang.mask, value,
        LoadLanesOp::create(gang.builder, gang.loc, value.getType(), cell, index, Value()));
  StoreLanesOp::create(gang.builder, gang.loc, value, cell, index, Value());
}

/// The scalars of the place, in the order of memory.
static Values readCells(Gang &gang, const Place &place, Type type) {
  Values values;
  for (const Scalar &scalar : scalarsOf(type))
    values.push_back(readRow(gang, place, place.first + scalar.cell, scalar.row));
  return values;
}

static void writeCells(Gang &gang, const Place &place, Type type, ValueRange values) {
  const SmallVector<Scalar> scalars = scalarsOf(type);
  for (auto [scalar, value] : llvm::zip_equal(scalars, values))
    writeRow(gang, place, place.first + scalar.cell, scalar.row, value);
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
  if (auto array = dyn_cast<ArrayType>(element)) {
    auto type = SliceType::get(slice.getContext(), array.getElement(),
                               cast<SliceType>(slice.getType()).getIsMut(), 1);
    Value elements = PartOp::create(gang.builder, gang.loc, type, slice, indices, IntegerAttr(),
                                    /*unchecked=*/true);
    for (uint64_t number = 0; number < array.getCount(); ++number)
      forEachScalar(gang, elements, i64(gang, int64_t(number)), scalar);
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
  Type type = elementOf(copy.getTo());
  if (!isLaneCopy(gang.shapes, copy)) {
    Values values = loadScalars(gang, scalarOf(gang, copy.getFrom()),
                                inLane(gang, copy.getFromIndices(), Value()));
    for (Value &value : values)
      value = everywhere(gang, value);
    return writeCells(gang, to, type, values);
  }
  const SmallVector<CellType, 4> cells = *cellTypes(type);
  SmallVector<Type, 1> vectors;
  for (const Scalar &scalar : scalarsOf(type))
    vectors.push_back(laneType(gang, cells[scalar.cell].scalar));
  Values values = forEachLane(gang, vectors, [&](Value lane) {
    return loadScalars(gang, valueInLane(gang, copy.getFrom(), lane),
                       inLane(gang, copy.getFromIndices(), lane));
  });
  writeCells(gang, to, type, values);
}

/// Copies a place to an element of memory.
static void copyOut(Gang &gang, CopyOp copy, const Place &from) {
  Values values = readCells(gang, from, elementOf(copy.getFrom()));
  forEachLane(gang, {}, [&](Value lane) {
    Values scalars;
    for (Value value : values)
      scalars.push_back(elementInLane(gang, value, lane));
    storeScalars(gang, scalars, valueInLane(gang, copy.getTo(), lane),
                 inLane(gang, copy.getToIndices(), lane));
    return Values();
  });
}

void spl::mir::emitCells(Gang &gang, Operation *op) {
  if (auto variable = dyn_cast<LocalOp>(op)) {
    Values cells;
    const SmallVector<CellType, 4> types = *cellTypes(variable.getType().getElement());
    for (const CellType &cell : types)
      cells.push_back(allocateLanes(gang, cell.scalar, int64_t(variable.getCount()) * cell.rows));
    gang.cells[variable.getResult()] = cells;
    return;
  }
  if (auto load = dyn_cast<LoadOp>(op)) {
    Place place = *placeOf(gang.shapes, load.getSlice(), load.getIndices().front());
    return bind(gang, load.getResult(), readCells(gang, place, load.getType()));
  }
  if (auto store = dyn_cast<StoreOp>(op))
    return writeCells(gang, *placeOf(gang.shapes, store.getSlice(), store.getIndices().front()),
                      store.getValue().getType(), vectorsOf(gang, store.getValue()));
  auto copy = cast<CopyOp>(op);
  auto place = [&](Value slice, ValueRange indices) {
    return isLocal(gang.shapes, slice) ? placeOf(gang.shapes, slice, indices.front())
                                       : std::nullopt;
  };
  std::optional<Place> from = place(copy.getFrom(), copy.getFromIndices()),
                       to = place(copy.getTo(), copy.getToIndices());
  if (!to)
    return copyOut(gang, copy, *from);
  if (!from)
    return copyIn(gang, copy, *to);
  Type type = elementOf(copy.getTo());
  for (const Scalar &scalar : scalarsOf(type))
    writeRow(gang, *to, to->first + scalar.cell, scalar.row,
             readRow(gang, *from, from->first + scalar.cell, scalar.row));
}
