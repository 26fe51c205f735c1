// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that a group runs in on the CPU: what spl-work-item-loops keeps for each work-item,
// the shared arrays, and behind them the launch's dynamic shared memory. The entry asks the runtime
// for it once for all the groups of its share (spl_cpu_scratch). Every place is known here, so that
// LLVM sees which do not overlap.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

class CpuScratch {
public:
  /// Lays out the memory of each kernel of the module.
  explicit CpuScratch(Lowering &lowering);

  struct Needs {
    uint64_t bytes = 0;      ///< but for dynamic shared memory
    bool hasDynamic = false; ///< whether that follows
  };
  Needs needs(mir::KernelOp kernel) const { return kernels.lookup(kernel.getSymName()); }
  /// Where the memory of a spl.scratch, spl.shared or spl.shared_dyn begins.
  uint64_t offset(mlir::Operation *op) const { return offsets.lookup(op); }

private:
  llvm::StringMap<Needs> kernels;
  llvm::DenseMap<mlir::Operation *, uint64_t> offsets;
};

} // namespace spl::codegen
