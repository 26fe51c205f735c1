// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own passes over a module, with what the target adds to them.
#pragma once

#include "codegen/Options.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace spl::codegen {

class LlvmBackend;

/// Optimises by options.optLevel; the module's data layout is the machine's. It does not fail.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, LlvmBackend &backend,
              const Options &options);

} // namespace spl::codegen
