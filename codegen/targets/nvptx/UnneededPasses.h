// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips passes of LLVM that do not change code for NVIDIA GPUs.
#pragma once

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

/// Lets LLVM's optimiser skip the vectorisers, and the combinations of instructions that tidy up
/// behind them, for functions without values that are narrow enough for a vector of 32 bits, the
/// widest one of the target.
void skipUnneededNvptxPasses(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace spl::codegen
