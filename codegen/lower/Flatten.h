// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts structured control flow to blocks and branches. No scf operation remains. Each spl.check
// moves to a block of its own, which is entered only if the check fails, and is never left.
#pragma once

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
}

namespace spl::codegen {

/// Fails if no pattern converts an operation, with an error at that operation. Takes time linear in
/// the size of the module.
llvm::LogicalResult flattenControlFlow(mlir::ModuleOp module);

/// Turns the unrolling that loops ask for (spl.unroll) into LLVM's loop annotations. Runs after the
/// conversion of branches.
void annotateLoops(mlir::ModuleOp module);

} // namespace spl::codegen
