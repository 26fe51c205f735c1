// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel regions, and the loops over work-items or lanes that they become.
#pragma once

#include "mir/transforms/fission/FissionContext.h"

namespace spl::mir {

/// One iteration of the loop of a parallel region.
struct Item {
  LocalIds ids;        ///< in a warp computed on demand: idsOf
  mlir::Value flat;    ///< the work-item's position in the group
  mlir::Value lane;    ///< the work-item's position in the warp, in a warp
  mlir::IRMapping map; ///< the values of the old body that the iteration has
};
using Copies = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>; ///< value, its new slots

/// Emits the operations, split where work-items synchronise.
void emit(FissionContext &fission, mlir::Block &block);
void emit(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> ops);

/// Emits a loop over the work-items, or over the active lanes in a warp.
void forEach(FissionContext &fission, llvm::function_ref<void(Item &)> body);
/// Copies values to slots, for each work-item: all are read before any is written.
void copyEach(FissionContext &fission, const Copies &copies);
/// Whether the lane is in the mask of active lanes, an i1.
mlir::Value isActive(FissionContext &fission, mlir::Value lane);
/// Marks a loop over lanes as one that is not unrolled: 32 copies would not be vectorised again.
void keepRolled(FissionContext &fission, mlir::scf::ForOp loop);

} // namespace spl::mir
