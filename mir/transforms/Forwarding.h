// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values continue: through structured control flow, what an operand of a scf operation, or of a
// terminator in one, becomes; and slices, as views of one another.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace mlir {
class OpOperand;
class Operation;
class Value;
} // namespace mlir

namespace spl::mir {

/// The results and block arguments that take on the operand's value: those of an if, for or while.
/// None for an operand that is not handed on: a condition, a bound, an operand of any other
/// operation.
llvm::SmallVector<mlir::Value, 2> forwarded(mlir::OpOperand &use);

/// Whether the result is a slice of the memory of its first operand.
bool isView(mlir::Operation *op);

/// What the slice is a view of in the end: a parameter, local or shared memory, or what control
/// flow or a call hands on.
mlir::Value rootOf(mlir::Value slice);

} // namespace spl::mir
