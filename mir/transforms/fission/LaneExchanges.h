// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the operations with which the lanes of a warp read values of each other.
#pragma once

#include "mir/transforms/fission/FissionContext.h"

namespace spl::mir {

void emitShuffle(FissionContext &fission, IntrinsicOp op);
void emitMatchAny(FissionContext &fission, IntrinsicOp op);

} // namespace spl::mir
