// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which powers of two certainly divide an integer. The checks of aligned accesses need this.
#pragma once

#include "mlir/IR/Value.h"

namespace spl::mir::bounds {

/// The number of low bits of an integer that are certainly 0, also if its computation wraps.
/// Returns 0 if nothing is known, and the width for 0.
unsigned trailingZeros(mlir::Value value);

} // namespace spl::mir::bounds
