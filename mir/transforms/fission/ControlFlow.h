// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits control flow around split points.
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

/// Emits an operation that synchronises, or control flow that contains one.
void emitSplitPoint(FissionContext &fission, mlir::Operation *op);

} // namespace spl::mir
