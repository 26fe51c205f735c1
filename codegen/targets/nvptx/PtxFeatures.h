// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowest PTX version that a module needs, so that drivers as old as can be take it.
#pragma once

#include "codegen/targets/nvptx/Archs.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Of a module as it is written out: the architecture's own version, or that of the newest feature
/// in use (PtxFeatures.def). An error where the architecture has not got a feature.
llvm::Expected<unsigned> ptxVersionFor(const llvm::Module &module, const NvptxArch &arch);

/// What every PTX version takes of kernel parameters, and what 8.1 and later take.
constexpr uint64_t maxParameterBytesEverywhere = 4352, maxParameterBytes = 32764;

} // namespace spl::codegen
