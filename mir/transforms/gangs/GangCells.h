// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local memory of the work-items of a gang. A variable that is a struct has a cell for each of
// its scalars: an array with an element for each lane. LLVM keeps the cells in registers, because
// each access is of a whole cell.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// The scalars of a type in memory, in order: those of its fields and of its vectors' lanes.
/// Nothing for a type with an array, or with a type that vectors of lanes cannot have.
std::optional<llvm::SmallVector<mlir::Type, 4>> cellTypes(mlir::Type type);

/// A variable of a work-item, or a field of one.
struct Place {
  LocalOp variable;
  unsigned first; ///< the number of its first cell in the variable
};
/// The place that a slice is a view of, if it is local memory of the loop's body.
std::optional<Place> placeOf(const LaneShapes &shapes, mlir::Value slice);
/// Whether the slice is a view of local memory of the loop's body, with a place or without.
bool isLocal(const LaneShapes &shapes, mlir::Value slice);
/// Whether the operation copies between local memory and memory that differs between lanes.
bool isLaneCopy(const LaneShapes &shapes, mlir::Operation *op);

/// Emits the allocation of local memory, or an access to it.
void emitCells(Gang &gang, mlir::Operation *op);

} // namespace spl::mir
