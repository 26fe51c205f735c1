// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites of code that LLVM 22 compiles wrongly for NVIDIA GPUs. Each rewrite names the error in
// LLVM and has a test that fails without it. A rewrite whose test passes without it is removed.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Before LLVM's optimisations.
void workAroundNvptx(llvm::Module &module);

} // namespace spl::codegen
