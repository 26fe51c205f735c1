// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that gather the same elements in each iteration of a loop, as those of points[i, k] in
//   for c in 0..centres.dim(0):
//       for k in 0..points.dim(1):
//           ... points[i, k] - centres[c, k] ...
// The first iteration of the outer loop keeps the lanes that it gathers, side by side in memory.
// The later ones load these. The inner loop is emitted twice for that: to keep the lanes, or to
// gather them again if they are too many, and to load what is kept.
#pragma once

#include "mir/transforms/gangs/Gang.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Allocates memory for the loads that the loops in \p outer keep, before the loop is emitted.
void allocateKept(Gang &gang, mlir::scf::ForOp outer);
/// Emits \p emitLoop, which emits the loop and binds its results: twice if loads in it are kept.
void emitWithKept(Gang &gang, mlir::scf::ForOp inner, llvm::function_ref<void()> emitLoop);
/// Loads the lanes that are kept, or those that \p gather emits. Keeps the latter where needed.
Values emitKept(Gang &gang, LoadOp load, llvm::function_ref<Values()> gather);

} // namespace spl::mir
