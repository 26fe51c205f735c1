// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM's optimisation passes, and those that the target adds.
#pragma once

#include "codegen/Options.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace spl::codegen {

class LlvmBackend;

/// Optimises with options.optLevel. The data layout of the module must be that of the machine. Does
/// not fail.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const LlvmBackend &backend,
              const Options &options);

} // namespace spl::codegen
