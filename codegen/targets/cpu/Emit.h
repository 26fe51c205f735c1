// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes code for the CPU: assembly text, object files, archives of them, and shared objects.
#pragma once

#include "codegen/Pipeline.h"

namespace spl::codegen {

llvm::Expected<std::string> emitAssembly(LlvmModule &module, const Options &options);
/// Returns a relocatable object file. It calls the functions of spl/CpuImports.def, SLEEF and libm.
llvm::Expected<llvm::SmallVector<char, 0>> emitObject(LlvmModule &module, const Options &options);
/// Returns an archive of such files, one for each part of the result of runMirPipeline, and of the
/// parts that are compiled later (codegen/Archive.h).
llvm::Expected<llvm::SmallVector<char, 0>> emitArchive(mlir::ModuleOp module,
                                                       const Options &options);
/// Returns a shared object for a bundle. It calls the runtime through variables
/// (spl/CpuImports.def). Fails if the system has no linker.
llvm::Expected<llvm::SmallVector<char, 0>> emitSharedObject(mlir::ModuleOp module,
                                                            const Options &options);

} // namespace spl::codegen
