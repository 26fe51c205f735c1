// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels take, read from a CPU's assembly.
#pragma once

#include "codegen/Pipeline.h"
#include "codegen/Stats.h"
#include <vector>

namespace spl::codegen {

/// Of each entry in assembly of a CPU target.
std::vector<KernelStats> assemblyStats(llvm::StringRef text, llvm::ArrayRef<std::string> entries);
/// A line for each kernel.
std::string describeAssembly(llvm::StringRef text, llvm::ArrayRef<KernelEntry> entries);

} // namespace spl::codegen
