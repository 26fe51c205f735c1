// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how a gang executes each operation of a loop over work-items, or that it cannot.
#pragma once

#include "mir/transforms/gangs/LaneShapes.h"

namespace spl::mir {

/// How the gang executes an operation.
enum class Way {
  Never,     ///< the operation prevents gangs
  Control,   ///< control flow
  Once,      ///< as a scalar: for all lanes if the results are uniform, for lane 0 if linear
  Adjacent,  ///< a load or store of adjacent elements
  Lanewise,  ///< the same operation on vectors
  Parts,     ///< builds vectors of the language, or takes them apart
  View,      ///< a slice that differs between lanes: it is made where a lane uses it
  Cells,     ///< local memory, or an access to it
  Scattered, ///< any other load or store of elements of one slice
  Check,     ///< a check, which fails if it does in an active lane
  EachLane,  ///< any other access, in a loop over the lanes
};
Way wayOf(const LaneShapes &shapes, mlir::Operation *op);

/// Whether vectors can have a value of this type for each lane: an integer, f32, f64, or a vector
/// of these. f16 and bf16 are excluded, because later passes emulate them.
bool hasLanes(mlir::Type type);
/// The position of an operation that takes or replaces one lane of a vector of the language, if it
/// is constant.
std::optional<int64_t> positionOf(mlir::Operation *op);
/// Whether the if has no effects and is so cheap that each lane computes both branches.
bool isSelection(const LaneShapes &shapes, mlir::scf::IfOp branch);
/// Whether the loop or `if` has accesses that a mask makes slower, or branches that test the mask.
bool hasMaskedOperations(const LaneShapes &shapes, mlir::Operation *op);

} // namespace spl::mir
