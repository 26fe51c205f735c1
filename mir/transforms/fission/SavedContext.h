// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that parallel regions take from each other: hoisted, saved or recomputed (see
// FissionContext.h).
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

//===-- Hoisted values --===//

bool isHoisted(FissionContext &fission, mlir::Value value);
/// Whether the operation can be hoisted as it is, whatever comes before it.
bool canHoist(FissionContext &fission, mlir::Operation *op);
/// The hoisted value; emitted here if it was not yet. The value must be uniform.
mlir::Value hoist(FissionContext &fission, mlir::Value value);
/// Null where the value is not uniform.
mlir::Value hoistIfUniform(FissionContext &fission, mlir::Value value);
void setHoisted(FissionContext &fission, mlir::Value old, mlir::Value value);
/// Whether the value is uniform and no view of a local: locals may hold the same, but are at
/// different addresses.
bool isUniform(FissionContext &fission, mlir::Value value);

//===-- Saved values --===//

/// The slots of a saved value, or null.
mlir::Value savedIn(FissionContext &fission, mlir::Value value);
/// The values of a region that later regions need and that must be saved, in order.
Values liveAfter(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> region);
/// New slots for the values. A uniform value gets a single cell, which is read after the loop.
Copies slotsFor(FissionContext &fission, llvm::ArrayRef<mlir::Value> values, Copies &cells);
void readCells(FissionContext &fission, const Copies &cells);
/// Memory with an element for each work-item or lane.
mlir::Value newSlots(FissionContext &fission, mlir::Type element);

//===-- In the loop of a region --===//

/// The value for one work-item. Emits what it takes, at the start of the loop's body.
mlir::Value valueFor(FissionContext &fission, mlir::Value value, Item &item);
/// Clones an operation for one work-item. The item's map has all its operands.
void cloneFor(FissionContext &fission, mlir::Operation *op, Item &item);
void store(FissionContext &fission, mlir::Value value, mlir::Value slots, Item &item);

} // namespace spl::mir
