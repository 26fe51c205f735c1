// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barrier fission: a kernel for one work-item becomes a body that runs all work-items of a group.
// The body is split where work-items synchronise: at barriers and, between barriers, at the
// collectives of a warp. Each parallel region from one split point to the next becomes a loop over
// the work-items, or over the lanes of a warp. Control flow around a split point is outside the
// loops. It is uniform, or in a warp it becomes masks of lanes. Source: Jääskeläinen et al., "pocl:
// A Performance-Portable OpenCL Implementation", 2015.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace spl::mir {

using LocalIds = std::array<mlir::Value, 3>; ///< the ids of a work-item in its group, by axis

/// Adds the ids of a work-item as operands to the checks and calls at and below root, which runs
/// for that work-item.
using PassIds = llvm::function_ref<void(mlir::Operation *root, const LocalIds &ids)>;

/// Replaces the body of the kernel. Does not fail. \p usualWidth is the number of work-items that a
/// group usually has along x, or 0 for any number.
void splitAtBarriers(KernelOp kernel, PassIds passIds, int64_t usualWidth);

/// Whether the operation, or an operation inside it, synchronises the group, or a warp.
bool synchronisesGroup(mlir::Operation *op);
bool synchronisesWarp(mlir::Operation *op);

} // namespace spl::mir
