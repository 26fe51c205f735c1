// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the versions of a kernel that a launch contract selects (spl/abi/Contract.h).
#pragma once

#include "mir/dialect/SplDialect.h"
#include "spl/abi/Names.h"
#include <string>

namespace spl::mir {

/// The symbol of a version of the kernel, which is the baseline.
inline std::string versionName(KernelOp kernel, size_t version) {
  return kernel.getSymName().str() + spl::abi::versionSuffix(version);
}

} // namespace spl::mir
