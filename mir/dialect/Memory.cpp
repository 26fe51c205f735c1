// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices: spl.load, spl.store, spl.extent, spl.read_only.
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

LogicalResult ReadOnlyOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  if (!from.getIsMut() || to.getIsMut() || from.getElement() != to.getElement() ||
      from.getRank() != to.getRank())
    return emitOpError() << "must turn a mut slice into the same one without mut, not " << from
                         << " into " << to;
  return success();
}
