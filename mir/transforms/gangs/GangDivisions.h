// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of integers by the lanes of a gang. Processors have none for vectors, so that LLVM
// divides lane by lane. They are divided as f64 instead. The truncated quotient is exact if a and b
// are below 2^52: a / b is an integer, or at least 1 / b below the next one. That is more than the
// rounding error, which is at most half a unit in the last place.
#pragma once

#include "mir/transforms/gangs/Gang.h"

namespace spl::mir {

/// Whether the operation is a division or remainder that LLVM would compute lane by lane: its
/// divisor is not constant, or is a constant of more than 32 bits that is not a power of two.
bool isSlowDivision(mlir::Operation *op);

/// The result of such an operation for vectors of lanes. The divisors of active lanes are not 0.
/// Integers of 64 bits are divided as f64 if those of all active lanes fit.
mlir::Value emitDivision(Gang &gang, mlir::Operation *op, mlir::Value dividend,
                         mlir::Value divisor);

} // namespace spl::mir
