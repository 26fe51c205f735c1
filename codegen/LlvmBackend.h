// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's part in lowering MIR to LLVM IR and that to machine code. One lives for one
// compilation; it returns an llvm::Error or reports through MLIR's diagnostics where it cannot do
// what is asked.
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace spl::codegen {

class Lowering;

class LlvmBackend {
public:
  virtual ~LlvmBackend();

  /// Sets lowering.hooks and adds the patterns for kernels and what else only this target has
  /// (codegen/lower/Lowering.h).
  virtual void populatePatterns(Lowering &lowering) = 0;
  /// Changes the module before LLVM optimises it: attributes, device libraries.
  virtual llvm::Error finishModule(llvm::Module &module) = 0;
  /// LLVM's description of the machine, which the calling thread owns (codegen/Machine.h).
  virtual llvm::Expected<llvm::TargetMachine *> machine() const = 0;
  /// The same for writing out that module, which may need more than others.
  virtual llvm::Expected<llvm::TargetMachine *> machineToWrite(const llvm::Module &) const {
    return machine();
  }
  /// Adds passes to LLVM's optimisations.
  virtual void addOptimizations(llvm::PassBuilder &builder) {}
  /// Changes the module after LLVM optimised it.
  virtual void finishOptimized(llvm::Module &module) {}
  /// Whether line information is tables beside the code, not directives in it.
  virtual bool hasLineTables() const { return true; }
  /// Instructions of a block above which generating code takes too long (codegen/LargeFunctions.h).
  virtual size_t maxBlock() const { return SIZE_MAX; }
};

} // namespace spl::codegen
