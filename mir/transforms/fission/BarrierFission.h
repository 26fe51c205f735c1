// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barrier fission: a kernel for one work-item becomes a body that runs all work-items of a group.
// The body is split where work-items synchronise: at barriers, and, inside what lies between those,
// at the collectives of a warp. Each parallel region from one split point to the next becomes a
// loop over the work-items, or over the lanes of a warp. Control flow around a split point is
// outside of the loops: it is uniform, or, in a warp, it becomes masks of lanes. Source:
// Jääskeläinen et al., "pocl: A Performance-Portable OpenCL Implementation", 2015.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace spl::mir {

using LocalIds = std::array<mlir::Value, 3>; ///< the ids of a work-item in its group, by axis

/// What an operation that runs for one work-item needs besides its operands: the ids of that
/// work-item, put into the checks and calls under root.
using PassIds = llvm::function_ref<void(mlir::Operation *root, const LocalIds &ids)>;

/// Replaces the kernel's body. Cannot fail.
void splitAtBarriers(KernelOp kernel, PassIds passIds);

/// Whether the operation, or one inside it, synchronises the group, or a warp.
bool synchronisesGroup(mlir::Operation *op);
bool synchronisesWarp(mlir::Operation *op);

} // namespace spl::mir
