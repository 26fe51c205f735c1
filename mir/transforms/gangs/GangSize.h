// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which loops over work-items run in gangs, and with how many lanes, by what they cost.
#pragma once

#include "mir/transforms/gangs/LaneShapes.h"

namespace spl::mir {

/// Whether the body has a loop that LLVM does not unroll as a whole.
bool hasLongLoop(mlir::scf::ForOp items);

/// Whether the body has an atomic that a gang runs once, where a condition holds that differs
/// between lanes.
bool hasConditionalAtomic(const LaneShapes &shapes, mlir::scf::ForOp items);

/// The number of work-items of a gang, or 0 if the loop should not run in gangs.
/// \p vectorBits is the size of a vector register. \p usual is how many work-items there usually
/// are, or 0 for any number.
int64_t gangSize(const LaneShapes &shapes, mlir::scf::ForOp items, unsigned vectorBits,
                 int64_t usual);

} // namespace spl::mir
