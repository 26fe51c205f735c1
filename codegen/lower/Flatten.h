// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From structured control flow to blocks and branches: scf goes, and each spl.check is in a
// block of its own that is entered only when it fails and never left.
#pragma once

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
}

namespace spl::codegen {

/// Reports at the operation that no pattern takes. Takes linear time in the size of the module.
llvm::LogicalResult flattenControlFlow(mlir::ModuleOp module);

/// Tells LLVM what unrolling loops ask for (spl.unroll); comes after the conversion of branches.
void annotateLoops(mlir::ModuleOp module);

} // namespace spl::codegen
