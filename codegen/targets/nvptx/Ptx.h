// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the PTX of a module.
#pragma once

#include "codegen/Pipeline.h"

namespace spl::codegen {

/// Returns one text of PTX for the parts of a module. It begins with one line "// spl.kernel
/// SIGNATURE" for each kernel.
llvm::Expected<std::string> emitPtx(llvm::MutableArrayRef<LlvmModule> parts,
                                    const Options &options);

} // namespace spl::codegen
