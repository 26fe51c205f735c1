// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loads of shared memory that return the same value in all work-items of a group, if
// their address is the same. Between two barriers, a work-item may be anywhere that it reaches
// without another barrier. So the memory does not change during such a load if nothing that is
// reached between the same two barriers writes to it, before the load, behind it, or in another
// branch.
//
// This assumes that all work-items of the group reach the same barriers, which spl-check-barriers
// checks. The assumption holds by induction: if they have reached the same barriers so far, the
// loads behind the last one are the same, and therefore the next barrier is.
//
// The analysis runs after inlining. It is valid until the kernel changes.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir {

class BarrierIntervals {
public:
  explicit BarrierIntervals(KernelOp kernel);

  /// Whether the slice is certainly a view of arrays of gpu.shared. Arrays of dynamic shared memory
  /// may overlap, so they are not followed.
  bool isShared(mlir::Value slice) const {
    return arrays.contains(slice) && !others.contains(slice);
  }

  /// An operation that may write to the memory of the slice between the same two barriers as the
  /// load, or null if there is none. \p load is an operation of the kernel, and isShared(slice).
  mlir::Operation *writeBeside(mlir::Operation *load, mlir::Value slice) const;

private:
  /// Operations without a barrier between them.
  struct Stretch {
    bool isBehindBarrier = false; ///< or at the start of the kernel
    llvm::SmallVector<unsigned, 2> next;
    llvm::SmallVector<std::pair<mlir::StringAttr, mlir::Operation *>, 2> writes; ///< by array
    /// For each array, a write in an interval that includes the stretch.
    llvm::DenseMap<mlir::StringAttr, mlir::Operation *> writesBeside;
  };

  void findMemory();
  void findBarriers();
  unsigned add(bool isBehindBarrier);
  unsigned visit(mlir::Block &block, unsigned at);
  unsigned visitSplit(mlir::Operation *op, unsigned at);
  void place(mlir::Operation *op, unsigned at);
  void findWritesBeside();

  KernelOp kernel;
  /// The arrays of gpu.shared that each slice may be a view of, by name: an inlined function may
  /// declare the same array several times.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::StringAttr, 1>> arrays;
  llvm::DenseSet<mlir::Value> others;       ///< slices that may be views of other memory
  llvm::DenseSet<mlir::Operation *> splits; ///< operations with a barrier inside
  llvm::DenseMap<mlir::Operation *, unsigned> stretchOf;
  llvm::SmallVector<Stretch> stretches;
};

} // namespace spl::mir
