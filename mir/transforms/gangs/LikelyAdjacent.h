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

/// Emits a test whether the active lanes access adjacent elements, if one is worth it: of scalars,
/// or of all indices.
std::optional<AdjacencyTest> testElements(Gang &gang, mlir::Value slice, mlir::ValueRange indices,
                                          mlir::Type element);

} // namespace spl::mir
