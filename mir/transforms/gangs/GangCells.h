// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local memory of the work-items of a gang. A variable has a cell for each scalar of its
// element: for each field of a struct, and each component of a vector. A cell is an array with an
// element for each lane. A scalar in an array of the language has one cell, with such a row of
// lanes for each element of the array. LLVM keeps cells in registers if the rows that are accessed
// are known when it is compiled.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

struct CellType {
  mlir::Type scalar;
  int64_t rows; ///< 1, or the number of elements of the arrays around the scalar
};
/// The cells of a type in memory, in order. Nothing for a type with a slice, or with a number that
/// vectors of lanes cannot have.
std::optional<llvm::SmallVector<CellType, 4>> cellTypes(mlir::Type type);

/// The variable of a work-item that an access refers to, or a field or an element of it.
struct Place {
  /// The element of an array.
  struct Step {
    mlir::Value index;
    mlir::Type element;
    unsigned first; ///< the number of the first cell of the element in the variable
  };
  LocalOp variable;
  unsigned first; ///< the number of its first cell in the variable
  llvm::SmallVector<Step, 2> steps;
};
/// The place of the element slice[index], if it is local memory of the loop's body.
std::optional<Place> placeOf(const LaneShapes &shapes, mlir::Value slice, mlir::Value index);
/// Whether the operation allocates local memory that cells can represent, or accesses it at a known
/// place.
bool canUseCells(const LaneShapes &shapes, mlir::Operation *op);
/// Whether the slice views local memory of the loop's body. It may have no place (placeOf).
bool isLocal(const LaneShapes &shapes, mlir::Value slice);
/// Whether the operation copies from or to an element outside of that local memory which differs
/// between lanes.
bool isLaneCopy(const LaneShapes &shapes, mlir::Operation *op);

/// Emits the allocation of local memory, or an access to it.
void emitCells(Gang &gang, mlir::Operation *op);

} // namespace spl::mir
