// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves an `if` that holds for one work-item of a row from the end of the loop over work-items to a
// loop after it. LLVM does not vectorise a loop with that branch. An example is
// `if col == pivot: b[row] -= ...` after a store by all work-items.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// If the last operation in a loop over work-items is an `if` that holds for one value of the
/// loop's variable at most, moves it to a loop after this one and returns that loop. Returns null
/// if there is no such `if`, or if it needs what the rest of the body loads.
mlir::scf::ForOp splitSingle(mlir::scf::ForOp loop);

} // namespace spl::mir
