// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits off what a single work-item of a row does, as in `if col == pivot: b[row] -= ...` behind
// what all do. LLVM would not vectorise the loop with the branch.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// If the last operation in a loop over work-items is an `if` that holds for one value of the
/// loop's variable at most, moves it to a loop behind this one and returns that loop. Returns null
/// if there is no such `if`, or if it needs what the rest of the body loads.
mlir::scf::ForOp splitSingle(mlir::scf::ForOp loop);

} // namespace spl::mir
