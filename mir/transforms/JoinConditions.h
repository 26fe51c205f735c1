// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second part of a condition `a and b` is in a branch, because it runs only if the first one
// holds. If it only compares ids and sizes, it may always run, and the condition becomes one
// operation.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spl::mir {

/// Replaces the branch by a conjunction or a disjunction. Returns whether it did.
bool joinCondition(mlir::scf::IfOp op);

} // namespace spl::mir
