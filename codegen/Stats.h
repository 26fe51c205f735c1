// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes, read from the text that was generated for it and from what ptxas says of it.
// Values; text that is not understood counts as nothing.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spl::codegen {

struct KernelStats {
  uint64_t instructions = 0; ///< of the kernel and the functions that it reaches, each once
  uint64_t sharedBytes = 0;  ///< that it declares
  /// What only ptxas knows.
  struct Assembled {
    uint64_t registers = 0, spillStores = 0, spillLoads = 0; ///< spills in bytes
  };
  std::optional<Assembled> assembled;
};

/// Of each entry in PTX, with what `ptxas -v` wrote of it, where that is there.
std::vector<KernelStats> ptxStats(llvm::StringRef ptx, llvm::ArrayRef<std::string> entries,
                                  llvm::StringRef ptxasReport = "");
/// Of each entry in assembly of a CPU target.
std::vector<KernelStats> assemblyStats(llvm::StringRef text, llvm::ArrayRef<std::string> entries);

} // namespace spl::codegen
