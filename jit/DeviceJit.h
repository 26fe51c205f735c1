// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for a GPU that this process has compiled. The versions of kernels that only launches with an
// unmet contract run are MIR, which the image compiles when the runtime asks for it.
#pragma once

#include "driver/Compilation.h"
#include "llvm/Support/Error.h"
#include <spl/Module.h>

namespace spl::jit {

/// The image of what was compiled with these options: an archive (codegen/Archive.h) with one text
/// of PTX. Fails for a damaged archive. The image keeps what it needs of the arguments.
llvm::Expected<CompiledCode> deviceCode(const driver::Compiled &compiled,
                                        const codegen::Options &options);

} // namespace spl::jit
