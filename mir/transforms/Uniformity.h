// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses which values and which control flow are uniform, and why others are divergent. The rules
// are in docs/language.md ("Uniformity"). A value that is not known to be uniform is divergent. The
// analysis runs after inlining. It is valid until the kernel changes.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "mir/transforms/BarrierIntervals.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir {

/// Among which work-items a value is compared. Warp stands for the warps of groups whose size along
/// x is a multiple of 32 (WarpRows.h).
enum class UniformIn { Warp, Group, Grid };

class Uniformity {
public:
  explicit Uniformity(KernelOp kernel, UniformIn scope = UniformIn::Group);

  bool isUniform(mlir::Value value) const { return !divergent.contains(value); }

  /// The results of spl.local that the slice may be a view of.
  llvm::ArrayRef<mlir::Value> viewedLocals(mlir::Value slice) const {
    auto found = localsOf.find(slice);
    return found == localsOf.end() ? llvm::ArrayRef<mlir::Value>() : found->second;
  }

  /// The innermost divergent if or loop around the operation, or null if control flow is uniform
  /// there.
  mlir::Operation *divergentBranch(mlir::Operation *op) const;
  /// The condition or bound that makes a branch divergent.
  mlir::Value condition(mlir::Operation *branch) const { return branches.lookup(branch); }

  /// The chain of causes of a divergent value: each value is divergent because of the next. The
  /// last one is the source of the divergence.
  llvm::SmallVector<mlir::Value> causes(mlir::Value value) const;

  /// A write that makes a load of shared memory a source of divergence, because no barrier is
  /// between the two. Null if the load is a source for another reason.
  mlir::Operation *writeBeside(LoadOp load) const {
    mlir::Value slice = load.getSlice();
    return intervals.isShared(slice) ? intervals.writeBeside(load, slice) : nullptr;
  }

private:
  void findMemory();
  void findSources();
  bool mayChange(mlir::Operation *load, mlir::Value slice) const;
  bool isSource(mlir::Operation *op);
  bool isSource(CallOp call);
  bool hasOwnDivergence(llvm::StringRef function);

  void diverge(mlir::Value value, mlir::Value because);
  void enterDivergently(mlir::Operation *branch, mlir::Value because);
  void divergeMemory(mlir::Value slice, mlir::Value because);
  void propagate(mlir::OpOperand &use);
  void propagateTo(mlir::Operation *op, mlir::Value because);

  bool isDivergent(IntrinsicOp intrinsic) const;
  bool isUniformWhateverItsOperands(IntrinsicOp intrinsic) const;

  KernelOp kernel;
  const UniformIn scope;
  BarrierIntervals intervals;
  llvm::DenseMap<mlir::Value, mlir::Value> divergent; ///< each with its cause; null for a source
  llvm::DenseMap<mlir::Operation *, mlir::Value> branches;
  llvm::SmallVector<mlir::Value> work;

  llvm::DenseSet<mlir::Value> shared; ///< views of memory that other work-items may write to
  /// The locals that each slice may be a view of. A local is divergent if its contents are.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> localsOf;
  llvm::DenseMap<mlir::Operation *, bool> functions; ///< whether each has a source of divergence
};

} // namespace spl::mir
