// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that only do something in the iterations in which a condition holds. An example is
// `if i < n and mask[j]: a[i] = ...` as the body of a loop over work-items.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>
#include <utility>

namespace spl::mir {

/// A condition and the truth value that it must have.
using GuardPart = std::pair<mlir::Value, bool>;

/// The only `if` with effects in the body of a loop. All other operations may be left out.
struct LoopGuard {
  mlir::scf::IfOp op;
  bool truth; ///< the value of the condition with which the `if` does something

  mlir::Region &region() { return truth ? op.getThenRegion() : op.getElseRegion(); }
  /// The parts of the condition, as a conjunction: the `if` does something if each of them has its
  /// truth value.
  llvm::SmallVector<GuardPart> parts();
};

/// The guard of the loop, or std::nullopt if it has none.
std::optional<LoopGuard> guardOf(mlir::scf::ForOp loop);

/// A comparison whose left side depends on the loop's variable.
struct GuardComparison {
  mlir::arith::CmpIPredicate predicate;
  mlir::Value tested, bound;
};

/// The comparison that holds if \p compare has this truth value.
GuardComparison comparisonOf(mlir::arith::CmpIOp compare, bool truth, mlir::scf::ForOp loop);

} // namespace spl::mir
