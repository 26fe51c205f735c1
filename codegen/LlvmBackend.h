// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target-specific parts of lowering MIR to LLVM IR, and LLVM IR to machine code. An object
// serves one compilation. Functions report errors as llvm::Error, or through MLIR's diagnostics.
// After prepare, several threads use the object at once, each for its part of the module. An object
// for a part that is compiled later is not prepared, because the part was.
#pragma once

#include "codegen/Machine.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace spl::codegen {

class Lowering;

class LlvmBackend {
public:
  virtual ~LlvmBackend();

  /// Decides what the code of all parts of a module must agree on. Keeps it in this object and in
  /// attributes: those that the patterns read, and of the kernels that may be compiled later
  /// (codegen/Parts.h).
  virtual void prepare(mlir::ModuleOp module) = 0;
  /// Sets lowering.hooks, and adds the patterns for kernels and for operations that only this
  /// target has (codegen/lower/Lowering.h).
  virtual void populatePatterns(Lowering &lowering) const = 0;
  /// Changes the module before LLVM optimises it: attributes, device libraries.
  virtual llvm::Error finishModule(llvm::Module &module) const = 0;
  /// The machine for which LLVM optimises. Registers LLVM's back end for it.
  virtual MachineKey machine() const = 0;
  /// The machine that generates code for this part of a module. It has the features that the part
  /// needs, which may be more than those of machine().
  virtual llvm::Expected<MachineKey> machineToWrite(const llvm::Module &part) const {
    return machine();
  }
  /// Adds passes to LLVM's optimisations.
  virtual void addOptimizations(llvm::PassBuilder &builder) const {}
  /// Adds passes to those of cold functions (codegen/ColdFunctions.h), for which the code generator
  /// runs none.
  virtual void addColdPasses(llvm::PassBuilder &builder, llvm::FunctionPassManager &passes) const {}
  /// Changes the module after LLVM optimised it.
  virtual void finishOptimized(llvm::Module &module) const {}
  /// Adds what the code contains once to the first part, after finishOptimized.
  virtual void finishFirst(llvm::Module &first) const {}
  /// Changes the assembly of a part. Only a target that outputs its text needs it.
  virtual std::string finishAssembly(llvm::StringRef text) const { return text.str(); }
  /// Whether line information is in tables outside the code, rather than in directives within it.
  virtual bool hasLineTables() const { return true; }
  /// The maximum number of instructions of a block for which the code generator may optimise
  /// (codegen/LargeFunctions.h).
  virtual size_t maxBlock() const { return SIZE_MAX; }
};

} // namespace spl::codegen
