// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates the PTX of a module.
#pragma once

#include "codegen/Pipeline.h"

namespace spl::codegen {

/// Returns one text of PTX for the result of runMirPipeline. It begins with one line "// spl.kernel
/// SIGNATURE" for each kernel. Entries that launches seldom run are at its end, each behind a line
/// "// spl.later NAME" (spl/abi/Names.h). If \p later is not null, the text lacks them, and
/// \p later is set to their parts, which are not compiled.
llvm::Expected<std::string> emitPtx(mlir::ModuleOp module, const Options &options,
                                    std::vector<PartCode> *later = nullptr);
/// Returns the text of a part that was kept for later. \p change changes the part before its code
/// is generated.
llvm::Expected<std::string> emitPtxLater(llvm::StringRef mir, const Options &options,
                                         llvm::function_ref<void(llvm::Module &)> change);

} // namespace spl::codegen
