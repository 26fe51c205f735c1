// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global value numbering for operations without effects: finds values of a kernel that are the same
// computation, such as two occurrences of "i + 1".
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir::bounds {

class ValueNumbers {
public:
  /// Numbers the values of the kernel. Values of operations that are created later have no number.
  explicit ValueNumbers(KernelOp kernel);

  /// The representative of all values that are the same as this one.
  mlir::Value leader(mlir::Value value) const;

private:
  void add(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, mlir::Value> leaders;
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::Operation *, 1>> operations;
};

} // namespace spl::mir::bounds
