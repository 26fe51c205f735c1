// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value is kept, with its operands evaluated: a local that is an SSA value, a lane of one,
// or an element of memory. A plain value.
#pragma once

#include "frontend/sema/Program.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mirgen {

struct Place {
  const sema::Local *local = nullptr;            ///< null: the place is in memory
  mlir::Value lane;                              ///< of the local, an i64; null: all of the local
  mlir::Value slice;                             ///< in memory: the slice
  llvm::SmallVector<mlir::Value, 2> indices;     ///< in memory: the indices, as i64
  llvm::SmallVector<int64_t, 2> unsignedIndices; ///< the positions of the indices that are u64
  bool isInside = false;                         ///< the indices need no check
  mlir::StringAttr name;                         ///< what the indices go into, for faults, or null
};

} // namespace spl::mirgen
