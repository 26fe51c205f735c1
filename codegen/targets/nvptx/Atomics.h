// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of NVIDIA GPUs that LLVM 22 has no right instruction for: its back end drops the order
// and the scope of an atomicrmw, and has none on pairs of f16 or bf16.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// The old value, poison where it is not used; none where LLVM's own atomicrmw is right.
std::optional<mlir::Value> emitNvptxAtomic(mir::AtomicOp op, mir::AtomicKind kind,
                                           mlir::Value address, mlir::Value value,
                                           mlir::OpBuilder &builder);

} // namespace spl::codegen
