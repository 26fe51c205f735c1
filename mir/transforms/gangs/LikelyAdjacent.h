// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses whose elements are adjacent in most gangs, although the indices are not linear. They
// wrap around at an edge, as (x + 1) % width, are clamped, or skip elements now and then, as
// 2 * x - (x & (stride - 1)). A test of the indices of a gang decides which code runs.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// Whether the access is likely to be of adjacent elements. This is a guess.
bool isLikelyAdjacent(const LaneShapes &shapes, mlir::Value slice, mlir::ValueRange indices,
                      mlir::Type element);

/// Whether the elements of the active lanes are adjacent, and the indices of lane 0 if they are.
struct Adjacent {
  mlir::Value condition;
  Values indices;
};
Adjacent testAdjacent(Gang &gang, mlir::ValueRange indices);

} // namespace spl::mir
