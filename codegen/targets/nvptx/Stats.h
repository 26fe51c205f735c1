// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources of kernels, counted in PTX and read from the report of ptxas.
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
/// Returns one line for each kernel. If cubin is an error, the line has only the values from the
/// PTX, and says why the others are missing.
std::string describePtx(llvm::StringRef ptx, llvm::ArrayRef<KernelEntry> entries,
                        llvm::Expected<Cubin> cubin);

} // namespace spl::codegen
