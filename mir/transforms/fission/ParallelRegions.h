// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits parallel regions as loops over work-items or lanes.
#pragma once

#include "mir/transforms/fission/FissionContext.h"

namespace spl::mir {

/// One iteration of the loop of a parallel region.
struct Item {
  LocalIds ids;        ///< in a warp they are computed on demand (idsOf)
  mlir::Value flat;    ///< the flat id of the work-item in the group
  mlir::Value lane;    ///< the lane of the work-item, if the region is in a warp
  mlir::IRMapping map; ///< from values of the old body to those of this iteration
};
/// A value and the slots that it is stored in.
using Copies = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>;

/// Emits the operations, split where work-items synchronise. The last region makes the copies, if
/// it is one of work-items. Returns whether it did, or there are none.
bool emit(FissionContext &fission, mlir::Block &block, const Copies &copies = {});
bool emit(FissionContext &fission, llvm::ArrayRef<mlir::Operation *> ops,
          const Copies &copies = {});

/// Marks an innermost loop over groups side by side (SideBySide.h).
void markGroups(FissionContext &fission, mlir::scf::ForOp loop);
/// Emits a loop over the work-items, or over the active lanes in a warp.
void forEach(FissionContext &fission, llvm::function_ref<void(Item &)> body);
/// Copies values to slots, for each work-item. All values are read before a slot is written.
void copyEach(FissionContext &fission, const Copies &copies);
/// Emits an i1: whether the lane is in the mask of active lanes.
mlir::Value isActive(FissionContext &fission, mlir::Value lane);
/// Disables unrolling of a loop over lanes, because LLVM would not vectorise 32 copies of its body.
void keepRolled(FissionContext &fission, mlir::scf::ForOp loop);

} // namespace spl::mir
