// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands and results of operations of a warp. They are in memory, with an element for each
// lane, or in vectors.
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

/// Emits a loop that counts to \p count. In a warp, it stays a loop.
mlir::scf::ForOp countTo(FissionContext &fission, mlir::Value count, mlir::ValueRange inits,
                         llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
/// Sets the bit of the lane in a mask if \p isIn, an i1, is true.
mlir::Value addToMask(FissionContext &fission, mlir::Value mask, mlir::Value lane,
                      mlir::Value isIn);
/// Stores the operands of the active lanes in memory, and padding for the other lanes.
mlir::Value gather(FissionContext &fission, mlir::Value value, mlir::Value padding);
/// Stores the result of the operation for each active lane.
void resultForEach(FissionContext &fission, IntrinsicOp op,
                   llvm::function_ref<mlir::Value(Item &)> result);
/// Emits the mask of the active lanes for which the condition holds.
mlir::Value ballot(FissionContext &fission, mlir::Value condition);
mlir::Value ballot(FissionContext &fission, llvm::function_ref<mlir::Value(Item &)> condition);
/// Emits an i1: whether the mask is not empty.
mlir::Value hasAny(FissionContext &fission, mlir::Value lanes);

/// Whether the operands of the operation can be a vector with a lane for each lane of the warp.
bool isOnVectors(FissionContext &fission, IntrinsicOp op);
/// The slots of all lanes, as a vector.
mlir::Value vectorOf(FissionContext &fission, mlir::Value slots);
/// The lanes are the results of the operation.
void setLanes(FissionContext &fission, IntrinsicOp op, mlir::Value lanes);
/// An i32 whose bits are the lanes of a vector of 32 i1.
mlir::Value bitsOf(FissionContext &fission, mlir::Value lanes);

} // namespace spl::mir
