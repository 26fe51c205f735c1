// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites code that LLVM 22 miscompiles for NVIDIA GPUs. The comment on each rewrite names the
// error of LLVM. Each rewrite has a test that fails without it. Remove a rewrite when its test
// passes without it.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Runs before LLVM's optimisations.
void workAroundNvptx(llvm::Module &module);

} // namespace spl::codegen
