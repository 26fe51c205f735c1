// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers that are not negative, whatever the launch. mir/bounds knows more of them, and needs an
// analysis of the kernel.
#pragma once

#include "mir/dialect/SplDialect.h"

namespace spl::mir {

/// Whether the integer is a constant, an id or size of the launch, an extent, or a sum or product
/// of such that does not overflow (nsw), and not negative.
bool isNonNegative(mlir::Value value);

} // namespace spl::mir
