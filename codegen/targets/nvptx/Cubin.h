// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code of NVIDIA GPUs, by the CUDA toolkit's assembler. Without ptxas, or where it refuses,
// an error that says so; temporary files never outlive the call.
#pragma once

#include "codegen/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

struct Cubin {
  llvm::SmallVector<char, 0> image;
  std::string report; ///< what `ptxas -v` says of each kernel
};
llvm::Expected<Cubin> assembleCubin(llvm::StringRef ptx, const Options &options);

} // namespace spl::codegen
