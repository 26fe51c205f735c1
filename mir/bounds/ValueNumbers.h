// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of a kernel are the same computation (global value numbering, as far as operations
// without effects go): "i + 1" that the source has twice is one value to those who ask here.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir::bounds {

class ValueNumbers {
public:
  /// Of the kernel as it is; operations that are made later are not known.
  explicit ValueNumbers(KernelOp kernel);

  /// The first of the values that are the same as this one.
  mlir::Value leader(mlir::Value value) const;

private:
  void add(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, mlir::Value> leaders;
  llvm::DenseMap<llvm::hash_code, llvm::SmallVector<mlir::Operation *, 1>> operations;
};

} // namespace spl::mir::bounds
