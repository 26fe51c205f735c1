// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers of two that divide an integer, as the alignment of an index asks for.
#pragma once

#include "mlir/IR/Value.h"

namespace spl::mir::bounds {

/// The number of low bits of an integer that are certainly 0, also where its computation wraps.
unsigned trailingZeros(mlir::Value value);

} // namespace spl::mir::bounds
