// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What #[fast_math] allows, as a permission on each operation, so that it holds for the function's
// own and stays with them where they are inlined or expanded.
#pragma once

#include "mlir/IR/Operation.h"

namespace spl::mir {

/// Lets an operation on floats be reassociated and approximated; does nothing to any other. NaN and
/// infinity keep their meaning, as under --fast-math.
void allowFastMath(mlir::Operation *op);

/// Whether an spl.intrinsic is allowed to.
bool allowsFastMath(mlir::Operation *intrinsic);

} // namespace spl::mir
