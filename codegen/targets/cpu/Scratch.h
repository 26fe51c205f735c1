// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a group's memory on the CPU. It holds the saved contexts of the work-items
// (spl-work-item-loops), then the shared arrays and the private copies of slices, then the launch's
// dynamic shared memory. Each call of an entry allocates it once (spl_cpu_scratch), and reuses it
// for all its groups. All offsets are constants, so that LLVM knows which parts do not overlap.
#pragma once

#include "codegen/lower/Lowering.h"
#include "codegen/targets/cpu/PrivateCopies.h"

namespace spl::codegen {

class CpuScratch {
public:
  /// Computes the layout for each kernel of the module.
  explicit CpuScratch(Lowering &lowering);

  struct Needs {
    uint64_t bytes = 0;      ///< without dynamic shared memory
    bool hasDynamic = false; ///< whether the kernel uses dynamic shared memory
    std::vector<PrivateSlice> privates;
    std::vector<uint64_t> copies; ///< the offsets of the copies of privates
  };
  const Needs &needs(mir::KernelOp kernel) const { return kernels.at(kernel.getSymName()); }
  /// The offset of the memory of a spl.scratch, spl.shared or spl.shared_dyn.
  uint64_t offset(mlir::Operation *op) const { return offsets.lookup(op); }
  /// What a spl.atomic of a slice with a private copy updates.
  struct PrivateUpdate {
    unsigned slice; ///< the number in Needs::privates
    mlir::LLVM::AtomicBinOp update;
  };
  std::optional<PrivateUpdate> privateUpdate(mir::AtomicOp op) const {
    auto found = updates.find(op);
    return found == updates.end() ? std::nullopt : std::optional(found->second);
  }

private:
  llvm::StringMap<Needs> kernels;
  llvm::DenseMap<mlir::Operation *, uint64_t> offsets;
  llvm::DenseMap<mlir::Operation *, PrivateUpdate> updates;
};

} // namespace spl::codegen
