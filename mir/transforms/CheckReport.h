// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spl-launch-contracts did with the checks of a kernel, for people who want a faster kernel.
#pragma once

#include "mir/bounds/Conditions.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "spl/abi/CheckReport.h"
#include <string>
#include <vector>

namespace spl::mir {

/// A check that is in both kernels.
struct LeftCheck {
  mlir::Operation *op; ///< the check, or the branch that does nothing but fault
  mlir::Value condition;
  std::optional<abi::Contract> needs = {}; ///< set if no natural launch meets these conditions
  bool isTooLong = false;                  ///< the contract would exceed a limit
  bool isOff = false;                      ///< there are no contracts
};

/// Makes the report of a kernel, and keeps it as an attribute of the kernel.
void reportChecks(KernelOp kernel, size_t proved, size_t lifted, llvm::ArrayRef<LeftCheck> left);

/// Returns the reports of the kernels of a module, and removes them from the kernels.
std::vector<abi::CheckReport> takeCheckReports(mlir::ModuleOp module);

} // namespace spl::mir
