// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slices of a kernel that are tables for pairs of elements of memory, as in
// `similarity[a[i], b[j]]`. A table with one axis often has an element for each value of the type
// of its index, such as the 256 bins of a histogram of `u8`. A table for pairs rarely has one for
// each pair of values, 256 x 256. Therefore no launch contract should require that.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace spl::mir::bounds {

class PairTables {
public:
  explicit PairTables(KernelOp kernel);

  /// Whether the condition is the check of an index of such a table, and the index is an element of
  /// memory.
  bool isIndexed(mlir::Value condition) const;

private:
  llvm::DenseSet<mlir::Value> tables;
};

} // namespace spl::mir::bounds
