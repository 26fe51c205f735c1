// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources of kernels, counted in the assembly of a CPU.
#pragma once

#include "codegen/Pipeline.h"
#include "codegen/Stats.h"
#include <vector>

namespace spl::codegen {

/// The resources of each of these entries.
std::vector<KernelStats> assemblyStats(llvm::StringRef text, llvm::ArrayRef<std::string> entries);
/// Returns one line for each kernel.
std::string describeAssembly(llvm::StringRef text, llvm::ArrayRef<KernelEntry> entries);

} // namespace spl::codegen
