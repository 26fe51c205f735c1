// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the PTX of a module.
#pragma once

#include "codegen/Pipeline.h"

namespace spl::codegen {

/// Returns PTX that begins with one line "// spl.kernel SIGNATURE" for each kernel.
llvm::Expected<std::string> emitPtx(LlvmModule &module, const Options &options);

} // namespace spl::codegen
