// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles PTX to machine code for NVIDIA GPUs with ptxas of the CUDA toolkit. Fails if ptxas is
// not found or reports an error. Temporary files are removed before the call returns.
#pragma once

#include "codegen/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

struct Cubin {
  llvm::SmallVector<char, 0> image;
  std::string report; ///< the output of `ptxas -v` for each kernel
};
llvm::Expected<Cubin> assembleCubin(llvm::StringRef ptx, const Options &options);

} // namespace spl::codegen
