// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skips passes of LLVM that do not change code for NVIDIA GPUs, or only what ptxas changes back.
#pragma once

#include "llvm/IR/OptBisect.h"

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

/// Lets LLVM's optimiser skip the vectorisers, and the combinations of instructions that tidy up
/// behind them, for functions without values that are narrow enough for a vector of 32 bits, the
/// widest one of the target.
void skipUnneededNvptxPasses(llvm::PassInstrumentationCallbacks &callbacks);

/// Lets the code generator skip n-ary reassociation, and the elimination of common subexpressions
/// that tidies up behind it: straight-line strength reduction has found those before. It serves one
/// run of the code generator.
class NvptxPassGate : public llvm::OptPassGate {
public:
  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef description) const override;

private:
  mutable bool hasSkipped = false; ///< n-ary reassociation, just before
};

} // namespace spl::codegen
