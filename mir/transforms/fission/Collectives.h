// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits collectives: operations of all work-items of a group, or of the lanes of a warp.
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

void emitCollective(FissionContext &fission, IntrinsicOp op);
/// Emits the mask of the active lanes for which the condition holds.
mlir::Value ballot(FissionContext &fission, mlir::Value condition);
mlir::Value ballot(FissionContext &fission, llvm::function_ref<mlir::Value(Item &)> condition);

} // namespace spl::mir
