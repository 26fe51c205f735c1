// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls through which an operation was inlined, from its location.
#pragma once

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir {

/// The locations of an operation and of the calls through which it was inlined, its own location
/// first. An unknown location stands for the calls of a function that was not inlined.
inline llvm::SmallVector<mlir::Location> framesOf(mlir::Location loc) {
  llvm::SmallVector<mlir::Location> frames;
  llvm::SmallVector<mlir::Location> todo{loc};
  while (!todo.empty()) {
    mlir::Location next = todo.pop_back_val();
    if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(next))
      todo.append({call.getCaller(), call.getCallee()});
    else
      frames.push_back(next);
  }
  return frames;
}

} // namespace spl::mir
