// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of a kernel that a launch contract selects (spl/abi/Contract.h).
#pragma once

#include "mir/dialect/SplDialect.h"
#include "spl/abi/Contract.h"
#include "spl/abi/Names.h"
#include <string>

namespace spl::mir {

/// The symbol of a version of the kernel, which is the baseline.
inline std::string versionName(KernelOp kernel, size_t version) {
  return kernel.getSymName().str() + spl::abi::versionSuffix(version);
}

/// Whether launches run the kernel only if they do not meet its launch contract, or if the version
/// that the contract selects does not fit.
inline bool isSeldomRun(KernelOp kernel) {
  if (auto version = kernel->getAttrOfType<mlir::IntegerAttr>(SplDialect::versionAttr))
    return size_t(version.getInt()) != abi::Contract::Unchecked;
  return kernel.getSignature().versionCount() > 1;
}

/// Whether the operation is in a kernel that is compiled quickly rather than optimised.
inline bool isInCold(mlir::Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel && kernel->hasAttr(SplDialect::coldAttr);
}

} // namespace spl::mir
