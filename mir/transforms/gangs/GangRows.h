// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of gangs that run side by side. Where a loop in the kernel loads the same vectors for each
// row of work-items, as the columns of B in a product of matrices, several rows share the loads.
// Each row keeps its own sum in registers. The technique is known as unroll and jam.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// \p gangs is the loop over the whole gangs of a row, and \p rest runs the work-items that are
/// left after them. Runs several rows in each iteration of \p gangs if the loop around both is over
/// rows, and if that saves loads. The rows must be rows of work-items, because their order changes.
/// \p vectorBits is the size of a vector register.
void shareLoadsOfRows(mlir::scf::ForOp gangs, mlir::scf::IfOp rest, unsigned vectorBits);

} // namespace spl::mir
