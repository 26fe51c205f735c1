// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are the same in all rounds of a loop, and what may be computed before their place.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace spl::mir {

/// Whether the operation may trap, although MLIR considers it speculatable: a remainder of a
/// divisor that may be 0.
bool mayTrap(mlir::Operation *op);

/// Whether the value is computed outside of the loop.
bool isOutside(mlir::Operation *loop, mlir::Value value);

/// Whether the value is computed outside of the loop, or could be: by pure operations without
/// regions, at most \p depth one after the other.
bool isInvariant(mlir::Operation *loop, mlir::Value value, unsigned depth);

/// Whether pure operations compute the value from the variable of a loop. Values that loops carry
/// are not followed.
bool dependsOn(mlir::Value value, mlir::Value variable);

/// Moves what is the same in all rounds in front of the loop: operations without effects that do
/// not trap, also if the loop has no round.
void hoistInvariants(mlir::LoopLikeOpInterface loop);

} // namespace spl::mir
