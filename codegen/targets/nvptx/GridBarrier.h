// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of all groups of a launch, on NVIDIA GPUs. A kernel with such a barrier takes the
// address of a counter, which the launcher sets to 0 (spl/grid_counter.h). The parameter is in
// front of the fault record, which such a kernel always takes.
#pragma once

#include "codegen/lower/Lowering.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Emits a call that takes the place of the barrier. The operation must be in a kernel.
void emitGridBarrier(mir::IntrinsicOp op, mlir::OpBuilder &builder, Lowering &lowering);

/// Replaces these calls by the code of the barrier. Runs before LLVM's optimisations.
void expandGridBarriers(llvm::Module &module);

} // namespace spl::codegen
