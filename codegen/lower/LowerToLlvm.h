// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers MIR to the LLVM dialect. First, structured control flow becomes blocks. Then one dialect
// conversion applies the patterns of codegen/lower and those of the target. Operations that cannot
// be lowered are reported through MLIR's diagnostics.
//
// Several threads may lower the parts of one module at once, if the context's multithreading is on.
#pragma once

#include "codegen/Target.h"

namespace llvm {
struct LogicalResult;
} // namespace llvm
namespace mlir {
class MLIRContext;
class ModuleOp;
} // namespace mlir

namespace spl::codegen {

/// Loads the dialects whose operations the lowering creates.
void loadLoweringDialects(mlir::MLIRContext &context);
/// Prepares a whole module for the lowering of its parts: loads the dialects of
/// loadLoweringDialects, and sets attributes that hold what the code of all parts must agree on.
/// Reports an error for kernels that need too much memory.
llvm::LogicalResult prepareModule(mlir::ModuleOp module, const Target &target,
                                  LlvmBackend &backend);
/// Lowers a module, or a part of it, that was prepared.
llvm::LogicalResult lowerToLlvmDialect(mlir::ModuleOp part, const Target &target,
                                       const LlvmBackend &backend);

} // namespace spl::codegen
