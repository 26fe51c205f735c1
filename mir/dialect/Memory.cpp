// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers and folds of the operations on slices and memory.
#include "mir/dialect/SplDialect.h"

using namespace mlir;
using namespace spl::mir;

static LogicalResult verifyIndices(Operation *op, SliceType slice, OperandRange indices) {
  if (indices.size() != slice.getRank())
    return op->emitOpError() << "gives " << indices.size() << " indices to a slice of rank "
                             << slice.getRank();
  return success();
}

LogicalResult LoadOp::verify() { return verifyIndices(*this, getSlice().getType(), getIndices()); }

LogicalResult StoreOp::verify() {
  if (!getSlice().getType().getIsMut())
    return emitOpError("writes to a read-only slice");
  return verifyIndices(*this, getSlice().getType(), getIndices());
}

LogicalResult PrefetchOp::verify() {
  return verifyIndices(*this, getSlice().getType(), getIndices());
}

/// Verifies an access that moves \p value, a vector with a lane for each element of the slice that
/// is accessed. The elements have the type \p element in memory.
static LogicalResult verifyLanes(Operation *op, SliceType slice, OperandRange indices, Type value,
                                 Value mask, Type element) {
  auto vector = cast<VectorType>(value);
  if (vector.getRank() != 1 || vector.getElementType() != element)
    return op->emitOpError() << "moves " << value << " where the elements are "
                             << slice.getElement();
  auto fits = [&](Type type) {
    auto lanes = dyn_cast<VectorType>(type);
    return !lanes || lanes.getDimSize(0) == vector.getDimSize(0);
  };
  if (mask && !fits(mask.getType()))
    return op->emitOpError() << "has a mask of " << mask.getType() << " for " << value;
  for (Type index : indices.getTypes())
    if (!fits(index))
      return op->emitOpError() << "has an index of " << index << " for " << value;
  return verifyIndices(op, slice, indices);
}

LogicalResult LoadLanesOp::verify() {
  return verifyLanes(*this, getSlice().getType(), getIndices(), getType(), getMask(),
                     getSlice().getType().getElement());
}

LogicalResult StoreLanesOp::verify() {
  if (!getSlice().getType().getIsMut())
    return emitOpError("writes to a read-only slice");
  return verifyLanes(*this, getSlice().getType(), getIndices(), getValue().getType(), getMask(),
                     getSlice().getType().getElement());
}

/// The type of what a gather or scatter moves for each lane, or null if the component does not fit
/// the elements.
static Type movedType(Type element, std::optional<uint64_t> component) {
  auto vector = dyn_cast<VectorType>(element);
  if (!vector)
    return component ? Type() : element;
  return component && int64_t(*component) < vector.getNumElements() ? vector.getElementType()
                                                                    : Type();
}

LogicalResult GatherLanesOp::verify() {
  Type moved = movedType(getSlice().getType().getElement(), getComponent());
  if (!moved)
    return emitOpError(
        "needs a component below the size of the vectors that the slice contains, and "
        "none if they are not vectors");
  return verifyLanes(*this, getSlice().getType(), getIndices(), getType(), getMask(), moved);
}

LogicalResult ScatterLanesOp::verify() {
  if (!getSlice().getType().getIsMut())
    return emitOpError("writes to a read-only slice");
  Type moved = movedType(getSlice().getType().getElement(), getComponent());
  if (!moved)
    return emitOpError(
        "needs a component below the size of the vectors that the slice contains, and "
        "none if they are not vectors");
  return verifyLanes(*this, getSlice().getType(), getIndices(), getValue().getType(), getMask(),
                     moved);
}

LogicalResult ExtentOp::verify() {
  if (getAxis() >= getSlice().getType().getRank())
    return emitOpError() << "asks for axis " << getAxis() << " of a slice of rank "
                         << getSlice().getType().getRank();
  return success();
}

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  auto view = getSlice().getDefiningOp<ReadOnlyOp>();
  if (!view)
    return {};
  getSliceMutable().assign(view.getSlice());
  return getResult();
}

std::optional<int64_t> spl::mir::fixedExtent(Value slice, unsigned axis) {
  Operation *op = slice.getDefiningOp();
  if (auto view = dyn_cast_if_present<ReadOnlyOp>(op))
    return fixedExtent(view.getSlice(), axis);
  if (auto shared = dyn_cast_if_present<SharedOp>(op))
    return shared.getExtents()[axis];
  if (auto local = dyn_cast_if_present<LocalOp>(op))
    return local.getCount();
  if (auto data = dyn_cast_if_present<ConstantDataOp>(op))
    return data.getElements().size();
  auto part = dyn_cast_if_present<PartOp>(op);
  if (!part)
    return std::nullopt;
  if (part.getField() || part.isWhole())
    return 1;
  Type element = part.getSlice().getType().getElement();
  if (auto array = dyn_cast<ArrayType>(element))
    return array.getCount();
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.getDimSize(0);
  return std::nullopt;
}

LogicalResult ReadOnlyOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  if (!from.getIsMut() || to.getIsMut() || from.getElement() != to.getElement() ||
      from.getRank() != to.getRank())
    return emitOpError() << "must turn a mut slice into the same one without mut, not " << from
                         << " into " << to;
  return success();
}

//===-- Views --===//

LogicalResult RowOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  if (getIndices().empty() || getIndices().size() + to.getRank() != from.getRank() ||
      from.getElement() != to.getElement() || from.getIsMut() != to.getIsMut())
    return emitOpError() << "with " << getIndices().size() << " indices of " << from << " is no "
                         << to;
  return success();
}

LogicalResult SubsliceOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError("takes a slice of rank 1");
  return success();
}

// The type of a part of an element, or null.
static Type innerType(Type element, std::optional<uint64_t> field) {
  if (auto fields = dyn_cast<StructType>(element))
    return field && *field < fields.getFields().size() ? fields.getFields()[*field] : Type();
  if (field)
    return {};
  if (auto array = dyn_cast<spl::mir::ArrayType>(element))
    return array.getElement();
  auto vector = dyn_cast<VectorType>(element);
  return vector ? vector.getElementType() : Type();
}

LogicalResult PartOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  const bool isPart = isWhole() || to.getElement() == innerType(from.getElement(), getField());
  if (!isPart || to.getRank() != 1 || from.getIsMut() != to.getIsMut())
    return emitOpError() << "of an element of " << from << " is no " << to;
  return verifyIndices(*this, from, getIndices());
}

LogicalResult VectorsOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  auto vector = dyn_cast<VectorType>(to.getElement());
  if (!vector || vector.getElementType() != from.getElement() || from.getRank() != 1 ||
      to.getRank() != 1 || from.getIsMut() != to.getIsMut())
    return emitOpError() << "of " << from << " is no " << to;
  return success();
}

LogicalResult CopyOp::verify() {
  SliceType from = getFrom().getType(), to = getTo().getType();
  if (!to.getIsMut())
    return emitOpError("writes to a read-only slice");
  if (from.getElement() != to.getElement())
    return emitOpError() << "copies between elements of different types";
  if (failed(verifyIndices(*this, from, getFromIndices())))
    return failure();
  return verifyIndices(*this, to, getToIndices());
}

//===-- Local memory, shared memory and constants --===//

LogicalResult LocalOp::verify() {
  if (!getType().getIsMut() || getType().getRank() != 1)
    return emitOpError("is a mut slice of rank 1");
  return success();
}

LogicalResult SharedOp::verify() {
  if (!getType().getIsMut() || getType().getRank() != getExtents().size())
    return emitOpError() << "is a mut slice of rank " << getExtents().size();
  for (int64_t extent : getExtents())
    if (extent < 1)
      return emitOpError("has extents of 1 or more");
  return success();
}

LogicalResult SharedDynOp::verify() {
  if (!getType().getIsMut() || getType().getRank() != 1)
    return emitOpError("is a mut slice of rank 1");
  return success();
}

// Whether the attribute is a constant of this type: a number, or an array of constants.
static bool isConstantOf(Attribute value, Type type) {
  if (isScalar(type)) {
    auto number = dyn_cast<TypedAttr>(value);
    return number && number.getType() == type && isa<IntegerAttr, FloatAttr>(number);
  }
  auto parts = dyn_cast<ArrayAttr>(value);
  if (!parts)
    return false;
  if (auto fields = dyn_cast<StructType>(type))
    return parts.size() == fields.getFields().size() &&
           llvm::all_of(llvm::zip(parts, fields.getFields()), [](auto pair) {
             return isConstantOf(std::get<0>(pair), std::get<1>(pair));
           });
  auto array = dyn_cast<spl::mir::ArrayType>(type);
  auto vector = dyn_cast<VectorType>(type);
  uint64_t count = array ? array.getCount() : vector.getDimSize(0);
  Type element = array ? array.getElement() : vector.getElementType();
  return parts.size() == count &&
         llvm::all_of(parts, [&](Attribute part) { return isConstantOf(part, element); });
}

LogicalResult ConstantDataOp::verify() {
  if (getType().getIsMut() || getType().getRank() != 1)
    return emitOpError("is a read-only slice of rank 1");
  for (Attribute element : getElements())
    if (!isConstantOf(element, getType().getElement()))
      return emitOpError() << "holds " << element << ", which is no " << getType().getElement();
  return success();
}
