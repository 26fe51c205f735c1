// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds an installed CUDA toolkit: in $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, the parent folder of
// a ptxas on PATH, and Debian's folder. The toolkit is optional.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace spl::codegen {

/// The folders to search, beginning with those that the user sets.
llvm::SmallVector<std::string> toolkitFolders();
/// The path of ptxas, or "" if it is not found.
std::string findPtxas();

} // namespace spl::codegen
