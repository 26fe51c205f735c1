// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips passes of LLVM that do not change code for NVIDIA GPUs.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

/// Lets LLVM's optimiser skip the vectorisers, and the runs of InstCombine that clean up after
/// them. It skips them for functions without values of 16 bits or fewer, because a vector of the
/// target has 32 bits.
void skipUnneededNvptxPasses(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace spl::codegen
