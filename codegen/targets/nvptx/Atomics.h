// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations that LLVM 22 does not lower correctly for NVIDIA GPUs. Its NVPTX back end drops
// the order and the scope of an atomicrmw, and has no atomics on pairs of f16 or bf16.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

/// Emits an atomic update and returns the old value, or poison if the old value is not used.
/// Returns std::nullopt if LLVM's atomicrmw is correct.
std::optional<mlir::Value> emitNvptxAtomic(mir::AtomicOp op, mir::AtomicKind kind,
                                           mlir::Value address, mlir::Value value,
                                           mlir::OpBuilder &builder);

} // namespace spl::codegen
