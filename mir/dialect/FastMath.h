// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The permissions of #[fast_math], as an attribute of each operation. Therefore they apply only to
// the operations of that function, also after inlining and expansion.
#pragma once

#include "mlir/IR/Operation.h"

namespace spl::mir {

/// Allows reassociation and approximation of an operation on floats. Ignores other operations. NaN
/// and infinity keep their meaning, as with --fast-math.
void allowFastMath(mlir::Operation *op);

/// Whether allowFastMath was called for an spl.intrinsic.
bool allowsFastMath(mlir::Operation *intrinsic);

} // namespace spl::mir
