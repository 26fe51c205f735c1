// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Failed checks on NVIDIA GPUs. The first work-item of a launch that fails fills the fault record
// of the launch (spl/fault_record.h). Each work-item that fails ends. Barriers and operations of
// the warp count work-items that have ended as arrived, so the others go on.
//
// A failed check calls spl.fault, and the message of an assertion calls spl.message, until LLVM has
// optimised the module. For LLVM these calls access no memory of the program, as a trap does not,
// so checks do not hinder optimisations. Afterwards all checks of a function share one block, which
// fills the record and ends in `exit`.
//
// If the record is null, the block ends in `brkpt; exit`. ptxas assembles `brkpt` and `trap` to the
// same instruction, BPT.TRAP, but drops the `exit` that follows a `trap`. The code that comes next
// would then be reachable for a work-item that does not stop at once.
#pragma once

#include "codegen/lower/Lowering.h"
#include "codegen/targets/nvptx/FaultSites.h"

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Adds the checks and messages of a module to the table, and keeps their numbers in an attribute.
void numberFaults(mlir::ModuleOp module, FaultSites &sites);

/// Lowers failed checks that have numbers to those calls. Lives for one lowering.
class NvptxFaults {
public:
  explicit NvptxFaults(Lowering &lowering) : lowering(lowering) {}

  /// Emits the call for a failed check.
  void emit(mir::CheckOp op, mlir::ValueRange details, mlir::OpBuilder &builder);
  /// Emits the call for the message of an assertion, whose check follows in the block.
  void emitMessage(mir::PrintOp op, mlir::ValueRange values, mlir::OpBuilder &builder);

  /// The record of the function that holds an operation: its last parameter.
  static mlir::Value recordOf(mlir::Operation *op);

private:
  Lowering &lowering;
  /// For each block with a message: whether the work-item has claimed the record.
  llvm::DenseMap<mlir::Block *, mlir::Value> claimed;
};

/// Adds the attributes of the calls. Runs before LLVM's optimisations.
void describeFaults(llvm::Module &module);
/// Replaces the calls. Runs after LLVM's optimisations. If there are grid barriers, a work-item
/// that fails stops those of its launch.
void expandFaults(llvm::Module &module, bool hasGridBarriers);
/// Adds the table of the sites.
void addFaultTable(llvm::Module &module, const FaultSites &sites);

} // namespace spl::codegen
