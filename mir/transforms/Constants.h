// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are constants, or would be if others were. Nothing is owned, and nothing fails: what
// is not known is null.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace spl::mir {

using Constants = llvm::DenseMap<mlir::Value, mlir::Attribute>;

/// The constant that the value is if the values in \p known are these constants. Null if it is
/// none. Does not change the IR.
mlir::Attribute foldedConstant(mlir::Value value, const Constants &known = Constants());

} // namespace spl::mir
