// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels take, read from PTX and from what ptxas says of it.
#pragma once

#include "codegen/Pipeline.h"
#include "codegen/Stats.h"
#include "codegen/targets/nvptx/Cubin.h"
#include <vector>

namespace spl::codegen {

/// Of each entry in PTX, with what `ptxas -v` wrote of it, where that is there.
std::vector<KernelStats> ptxStats(llvm::StringRef ptx, llvm::ArrayRef<std::string> entries,
                                  llvm::StringRef ptxasReport = "");
/// A line for each kernel. Without a cubin it says what PTX shows by itself, and why no more.
std::string describePtx(llvm::StringRef ptx, llvm::ArrayRef<KernelEntry> entries,
                        llvm::Expected<Cubin> cubin);

} // namespace spl::codegen
