// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a parallel region needs from an earlier one. They are hoisted, saved or recomputed
// (FissionContext.h).
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

//===-- Hoisted values --===//

bool isHoisted(FissionContext &fission, mlir::Value value);
/// Whether the operation can be hoisted without regard to the operations before it.
bool canHoist(FissionContext &fission, mlir::Operation *op);
/// The hoisted value. Emits it if it was not hoisted before. The value must be uniform.
mlir::Value hoist(FissionContext &fission, mlir::Value value);
/// The hoisted value, or null if the value is not uniform.
mlir::Value hoistIfUniform(FissionContext &fission, mlir::Value value);
void setHoisted(FissionContext &fission, mlir::Value old, mlir::Value value);
/// Whether the value is uniform and not a view of a local. The locals of different work-items have
/// different addresses, even if their contents are the same.
bool isUniform(FissionContext &fission, mlir::Value value);

//===-- Saved values --===//

/// The slots of a saved value, or null.
mlir::Value savedIn(FissionContext &fission, mlir::Value value);
/// The values of a region that must be saved for later regions, in order. \p copies are those that
/// the region makes of values for the terminator of its block.
Values liveAfter(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> region,
                 const Copies &copies = {});
/// Allocates slots for the values of the region. For a uniform value, adds a single cell to
/// \p cells, which is read after the loop (readCells). Local memory with uniform contents is
/// hoisted.
Copies slotsFor(FissionContext &fission, llvm::ArrayRef<mlir::Value> values,
                llvm::ArrayRef<mlir::Operation *> region, Copies &cells);
void readCells(FissionContext &fission, const Copies &cells);
/// Allocates memory with an element for each work-item or lane.
mlir::Value newSlots(FissionContext &fission, mlir::Type element);

//===-- In the loop of a region --===//

/// The value for one work-item. Emits the operations that load or recompute it, at the start of the
/// loop's body.
mlir::Value valueFor(FissionContext &fission, mlir::Value value, Item &item);
/// Clones an operation for one work-item. The item's map has all its operands.
void cloneFor(FissionContext &fission, mlir::Operation *op, Item &item);
void store(FissionContext &fission, mlir::Value value, mlir::Value slots, Item &item);

} // namespace spl::mir
