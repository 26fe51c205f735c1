// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mlir/IR/Value.h"

namespace spl::mir::bounds {

/// Whether the value is the smaller of two signed integers. The result of a clamp is one: of its
/// last operand, and the larger of the others.
bool isMinimum(mlir::Value value);
/// Whether the value is the larger of two signed integers.
bool isMaximum(mlir::Value value);

} // namespace spl::mir::bounds
