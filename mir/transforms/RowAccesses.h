// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a loop in the body of work-items is better outside of the loop over them: each of its
// rounds then goes through rows of memory in order.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Whether adjacent work-items access adjacent elements in each round of a loop in their body, or
/// all load the same one, store to other elements in each round, and do nothing else but to compute
/// and check. Then no work-item waits for another one. \p round is the body of the loop, and
/// \p variable its variable.
bool accessesRows(mlir::scf::ForOp items, mlir::Block &round, mlir::Value variable);

} // namespace spl::mir
