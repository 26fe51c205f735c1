// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inserts a pass of this project into LLVM's code generator for NVIDIA GPUs.
#pragma once

#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/Pass.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#include "llvm/Target/TargetMachine.h"
#include <memory>

namespace spl::codegen {

/// Lets the code generator run the pass Own after the pass that Create makes, at -O2 and -O3. It
/// applies to all that this process compiles for NVIDIA GPUs. Call it before the first code is
/// generated.
template <typename Own, auto Create> void insertPassAfter() {
  static const llvm::RegisterTargetPassConfigCallback callback(
      [](llvm::TargetMachine &machine, llvm::PassManagerBase &, llvm::TargetPassConfig *passes) {
        if (!machine.getTargetTriple().isNVPTX() ||
            machine.getOptLevel() < llvm::CodeGenOptLevel::Default)
          return;
        const std::unique_ptr<llvm::Pass> before(Create());
        passes->insertPass(before->getPassID(), new Own);
      });
}

} // namespace spl::codegen
