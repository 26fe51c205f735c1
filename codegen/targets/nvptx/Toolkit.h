// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an installed CUDA toolkit may be: $CUDA_HOME, $CUDA_PATH, /usr/local/cuda, the folder above
// a ptxas on PATH, and Debian's. Nothing of it is required.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace spl::codegen {

/// Folders to look in, the user's own first.
llvm::SmallVector<std::string> toolkitFolders();
/// The path of ptxas, "" where there is none.
std::string findPtxas();

} // namespace spl::codegen
