// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's own passes among LLVM's optimisations for NVIDIA GPUs.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace spl::codegen {

/// Adds the passes to each pipeline that the builder builds.
void addNvptxOptimizations(llvm::PassBuilder &builder);

} // namespace spl::codegen
