// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is all that work-items do between two barriers. If it is outside of the loop over
// work-items, each of its rounds goes through rows of memory in order.
#pragma once

#include "mir/transforms/gangs/LaneShapes.h"

namespace spl::mir {

/// The only operation in the body of a loop over work-items that is not pure, if it is the last one
/// and a loop without results that are used. Otherwise null.
mlir::Operation *onlyLoopIn(mlir::scf::ForOp items);

/// Whether what work-items compute before their loop can be computed again in each round: a few
/// operations that differ between them, without calls and branches. LLVM moves the others out of
/// the loops.
bool isCheapBefore(mlir::Operation *loop, const LaneShapes &shapes);

/// Whether a round of the loop only computes, checks, and accesses rows:
/// - A load is of adjacent elements in adjacent work-items, or of one element for all.
/// - A store is to adjacent elements in adjacent work-items, and its index depends on \p variable,
///   the variable of the loop.
/// There is a store, and no work-item waits for another one. \p round is the body of the loop.
bool accessesRows(const LaneShapes &shapes, mlir::Block &round, mlir::Value variable);

} // namespace spl::mir
