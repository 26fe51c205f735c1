// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers MIR to the LLVM dialect. First, structured control flow becomes blocks. Then one dialect
// conversion applies the patterns of codegen/lower and those of the target. Operations that cannot
// be lowered are reported through MLIR's diagnostics.
#pragma once

#include "codegen/Target.h"

namespace llvm {
struct LogicalResult;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace spl::codegen {

llvm::LogicalResult lowerToLlvmDialect(mlir::ModuleOp module, const Target &target,
                                       LlvmBackend &backend);
/// Loads the dialects whose operations the lowering creates.
void loadLoweringDialects(mlir::ModuleOp module);

} // namespace spl::codegen
