// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites code that LLVM 22 miscompiles for NVIDIA GPUs. The comment on each rewrite names the
// error of LLVM. Each rewrite has a test that fails without it. Remove a rewrite when its test
// passes without it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Runs before LLVM's optimisations.
void workAroundNvptx(llvm::Module &module);

/// Returns the PTX with each setp.*.ftz.bf16 without its ".ftz", which ptxas refuses. LLVM writes
/// it for comparisons of bf16 if functions flush subnormals of f32.
std::string withoutFlushedComparisons(llvm::StringRef ptx);

} // namespace spl::codegen
