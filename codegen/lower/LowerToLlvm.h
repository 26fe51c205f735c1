// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MIR to the LLVM dialect: structured control flow to blocks, then one dialect conversion with the
// families of codegen/lower and the target's own patterns. What cannot be lowered is reported
// through MLIR's diagnostics.
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
/// Loads what the lowering creates operations of.
void loadLoweringDialects(mlir::ModuleOp module);

} // namespace spl::codegen
