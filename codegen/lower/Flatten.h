// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts structured control flow to blocks and branches. No scf operation remains. Each spl.check
// moves to a block of its own. Control enters that block only if the check fails, and does not
// leave it. An edge on which a flag of a loop is cleared, as by 'break', leads to the end of the
// loop.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
}

namespace spl::codegen {

/// An array of LLVM's access groups, on a load or store of MIR in a loop of independent iterations.
constexpr llvm::StringLiteral accessGroups = "llvm.access_groups";

/// Fails with an error at an operation that no pattern converts. The time is linear in the size of
/// the module.
llvm::LogicalResult flattenControlFlow(mlir::ModuleOp module);

/// Converts the attribute spl.unroll of loops to LLVM's loop annotations. Runs after the conversion
/// of branches.
void annotateLoops(mlir::ModuleOp module);

} // namespace spl::codegen
