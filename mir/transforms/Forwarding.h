// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows values through structured control flow, and slices through views.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir {

/// The results and block arguments that receive the value of an operand of an scf operation or of a
/// terminator in one. Empty for operands that are not passed on, such as conditions and bounds.
llvm::SmallVector<mlir::Value, 2> forwarded(mlir::OpOperand &use);

/// Whether the result is a slice of the memory of its first operand.
bool isView(mlir::Operation *op);

/// The slice at the origin of a chain of views: a parameter, local or shared memory, or a result of
/// control flow or a call.
mlir::Value rootOf(mlir::Value slice);

/// Whether nothing writes what the slice views while the launch runs.
bool isNeverWritten(mlir::Value slice);

/// The slices that may be views of the slice's memory, and the slice itself.
llvm::SmallSetVector<mlir::Value, 8> viewsOf(mlir::Value slice);

} // namespace spl::mir
