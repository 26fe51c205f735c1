// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses whose elements are adjacent in most gangs, although no test of scalars shows it
// (NearlyLinear.h). Their indices are clamped, or skip elements now and then, as
// 2 * x - (x & (stride - 1)). A comparison of the indices of a gang decides which code runs.
#pragma once

#include "mir/transforms/gangs/NearlyLinear.h"

namespace spl::mir {

/// Whether the access is likely to be of adjacent elements. This is a guess.
bool isLikelyAdjacent(const LaneShapes &shapes, mlir::Value slice, mlir::ValueRange indices,
                      mlir::Type element);

/// Compares the indices of the active lanes with those that follow the ones of lane 0.
NearlyAdjacent compareIndices(Gang &gang, mlir::ValueRange indices);

} // namespace spl::mir
