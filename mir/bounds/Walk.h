// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mir/bounds/Analysis.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace spl::mir::bounds {

/// Walks through a block and the regions in it, in the order in which they run, and reports to the
/// analysis what holds where. Calls \p visit on each operation before the analysis knows of it. The
/// operations within an assertion with a message (isFault) are not visited.
void walk(Analysis &analysis, mlir::Block &block,
          llvm::function_ref<void(mlir::Operation *)> visit);

/// Whether the branch is an assertion with a message: a print and a check that fails.
bool isFault(mlir::scf::IfOp choice);

} // namespace spl::mir::bounds
