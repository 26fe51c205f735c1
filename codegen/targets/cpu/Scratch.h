// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a group's memory on the CPU. It holds the saved contexts of the work-items
// (spl-work-item-loops), then the shared arrays, then the launch's dynamic shared memory. Each call
// of an entry allocates it once (spl_cpu_scratch), and reuses it for all its groups. All offsets
// are constants, so that LLVM knows which parts do not overlap.
#pragma once

#include "codegen/lower/Lowering.h"

namespace spl::codegen {

class CpuScratch {
public:
  /// Computes the layout for each kernel of the module.
  explicit CpuScratch(Lowering &lowering);

  struct Needs {
    uint64_t bytes = 0;      ///< without dynamic shared memory
    bool hasDynamic = false; ///< whether the kernel uses dynamic shared memory
  };
  Needs needs(mir::KernelOp kernel) const { return kernels.lookup(kernel.getSymName()); }
  /// The offset of the memory of a spl.scratch, spl.shared or spl.shared_dyn.
  uint64_t offset(mlir::Operation *op) const { return offsets.lookup(op); }

private:
  llvm::StringMap<Needs> kernels;
  llvm::DenseMap<mlir::Operation *, uint64_t> offsets;
};

} // namespace spl::codegen
