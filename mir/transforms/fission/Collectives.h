// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits collectives: operations of all work-items of a group, or of the lanes of a warp.
#pragma once

#include "mir/transforms/fission/ParallelRegions.h"

namespace spl::mir {

void emitCollective(FissionContext &fission, IntrinsicOp op);

} // namespace spl::mir
