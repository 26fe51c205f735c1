// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between the lanes of a vector, whose lanes are adjacent work-items. A scan or a
// combination takes a logarithmic number of steps.
#pragma once

#include "mir/transforms/fission/FissionContext.h"

namespace spl::mir {

/// Combines two vectors, lane by lane. It must be associative.
using Combine = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;

/// Whether values of the type can be the lanes of a vector.
bool fitsLanes(mlir::Type type);
/// Loads adjacent elements.
mlir::Value loadLanes(FissionContext &fission, mlir::Value slots, mlir::Value index, int64_t count);
void storeLanes(FissionContext &fission, mlir::Value lanes, mlir::Value slots, mlir::Value index);
mlir::Value everyLane(FissionContext &fission, mlir::Value scalar, int64_t count);
mlir::Value extractLane(FissionContext &fission, mlir::Value lanes, int64_t number);

/// The lanes in another order: lane i of the result is lane source(i).
mlir::Value permute(FissionContext &fission, mlir::Value lanes,
                    llvm::function_ref<int64_t(int64_t)> source);
/// Moves each lane up by \p distance in its segment. The first lanes of a segment are those of
/// \p padding. Segments have a power of two of lanes.
mlir::Value moveUp(FissionContext &fission, mlir::Value lanes, mlir::Value padding,
                   int64_t distance, int64_t segment);
/// For each lane, the combination of the lanes of its segment up to it, and \p neutral.
/// Hillis, Steele: Data parallel algorithms, CACM 29 (1986).
mlir::Value scanLanes(FissionContext &fission, mlir::Value lanes, mlir::Value neutral,
                      int64_t segment, Combine combine);
/// For each lane, the combination of all lanes of its segment. It is the same for all of them if
/// \p combine is commutative.
mlir::Value combineLanes(FissionContext &fission, mlir::Value lanes, int64_t segment,
                         Combine combine);
/// The lane that a lane becomes when it is moved by a power of two.
using LaneSource = llvm::function_ref<int64_t(int64_t lane, int64_t bit)>;
/// Moves lanes by a scalar of i64. Each of its bits below \p segment moves them once: lane i
/// becomes lane ifSet(i, bit) or lane ifClear(i, bit). The order of the bits must not matter.
mlir::Value permuteBy(FissionContext &fission, mlir::Value lanes, mlir::Value number,
                      int64_t segment, LaneSource ifSet, LaneSource ifClear);

} // namespace spl::mir
