// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources of kernels, read from PTX and from the report of ptxas.
#pragma once

#include "codegen/Pipeline.h"
#include "codegen/Stats.h"
#include "codegen/targets/nvptx/Cubin.h"
#include <vector>

namespace spl::codegen {

/// The resources of each of these entries of the PTX. ptxasReport is the output of `ptxas -v`, or
/// empty if there is none.
std::vector<KernelStats> ptxStats(llvm::StringRef ptx, llvm::ArrayRef<std::string> entries,
                                  llvm::StringRef ptxasReport = "");
/// A line for each kernel. Without a cubin it has only what the PTX shows, and says why
/// the rest is missing.
std::string describePtx(llvm::StringRef ptx, llvm::ArrayRef<KernelEntry> entries,
                        llvm::Expected<Cubin> cubin);

} // namespace spl::codegen
