// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of a CPU target as text and as files.
#pragma once

#include "codegen/Pipeline.h"

namespace spl::codegen {

llvm::Expected<std::string> emitAssembly(LlvmModule &module, const Options &options);
/// A relocatable object file; it calls spl_cpu_fault (spl/cpu_abi.h), SLEEF and libm.
llvm::Expected<llvm::SmallVector<char, 0>> emitObject(LlvmModule &module, const Options &options);
/// A shared object, as a bundle has it: it calls the runtime through variables
/// (spl/CpuImports.def). An error where the system has no linker.
llvm::Expected<llvm::SmallVector<char, 0>> emitSharedObject(LlvmModule &module,
                                                            const Options &options);

} // namespace spl::codegen
