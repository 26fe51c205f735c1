// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target-specific parts of lowering MIR to LLVM IR, and LLVM IR to machine code. An object
// serves one compilation. Functions report errors as llvm::Error, or through MLIR's diagnostics.
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

  /// Sets lowering.hooks, and adds the patterns for kernels and for operations that only this
  /// target has (codegen/lower/Lowering.h).
  virtual void populatePatterns(Lowering &lowering) = 0;
  /// Changes the module before LLVM optimises it: attributes, device libraries.
  virtual llvm::Error finishModule(llvm::Module &module) = 0;
  /// LLVM's description of the machine, which the calling thread owns (codegen/Machine.h).
  virtual llvm::Expected<llvm::TargetMachine *> machine() const = 0;
  /// The machine that generates code for this module. It has the features that the module needs,
  /// which may be more than those of machine().
  virtual llvm::Expected<llvm::TargetMachine *> machineToWrite(const llvm::Module &) const {
    return machine();
  }
  /// Adds passes to LLVM's optimisations.
  virtual void addOptimizations(llvm::PassBuilder &builder) {}
  /// Changes the module after LLVM optimised it.
  virtual void finishOptimized(llvm::Module &module) {}
  /// Whether line information is in tables outside the code, rather than in directives within it.
  virtual bool hasLineTables() const { return true; }
  /// The maximum number of instructions of a block for which the code generator may optimise
  /// (codegen/LargeFunctions.h).
  virtual size_t maxBlock() const { return SIZE_MAX; }
};

} // namespace spl::codegen
