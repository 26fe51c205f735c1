// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the lowest PTX version that a module needs, so that old drivers can load the PTX.
#pragma once

#include "codegen/targets/nvptx/Archs.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Returns the version for a final module: that of the architecture, or a higher one if a feature
/// in use needs it (PtxFeatures.def). Fails if the architecture does not have a feature in use.
llvm::Expected<unsigned> ptxVersionFor(const llvm::Module &module, const NvptxArch &arch);

/// The maximum size of kernel parameters, in bytes: in every PTX version, and in 8.1 and later.
constexpr uint64_t maxParameterBytesEverywhere = 4352, maxParameterBytes = 32764;

} // namespace spl::codegen
