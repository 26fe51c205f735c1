// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of a kernel that a launch contract selects (spl/abi/Contract.h).
#pragma once

#include "mir/dialect/SplDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "spl/abi/Contract.h"
#include "spl/abi/Names.h"
#include <string>

namespace spl::mir {

/// The symbol of a version of the kernel, which is the baseline.
inline std::string versionName(KernelOp kernel, size_t version) {
  return kernel.getSymName().str() + spl::abi::versionSuffix(version);
}

/// Adds a version behind the kernel, as a copy of it. \p copies maps its operations to their
/// copies.
inline KernelOp addVersion(KernelOp kernel, size_t version, mlir::IRMapping &copies) {
  mlir::OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  auto added = mlir::cast<KernelOp>(builder.clone(*kernel, copies));
  added.setSymName(versionName(kernel, version));
  added->setAttr(SplDialect::versionAttr, builder.getI64IntegerAttr(int64_t(version)));
  return added;
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
