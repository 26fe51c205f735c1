// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value is kept, with its operands evaluated: a local or a leaf of one that is an SSA
// value, a lane of it, or an element of memory. A plain value.
#pragma once

#include "frontend/mirgen/FunctionFacts.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mirgen {

struct Place {
  /// The slot of the SSA value, or of each element of an array of slices that may be meant; empty
  /// for a place in memory.
  llvm::SmallVector<Slot, 1> slots;
  mlir::Value selector; ///< of several slots, the number of the one that is meant, an i64
  mlir::Value lane;     ///< of the value, an i64; null: all of the value
  mlir::Value slice;    ///< in memory: the slice
  llvm::SmallVector<mlir::Value, 2> indices;     ///< in memory: the indices, as i64
  llvm::SmallVector<int64_t, 2> unsignedIndices; ///< the positions of the indices that are u64
  bool isInside = false;                         ///< the indices need no check
  mlir::StringAttr name;                         ///< what the indices go into, for faults, or null

  bool isInMemory() const { return slots.empty(); }
};

} // namespace spl::mirgen
