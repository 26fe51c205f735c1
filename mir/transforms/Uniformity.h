// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and which control flow are the same for all work-items of a group, and if not, why.
// The rules are those of the language ("Uniformity"). What is not known to be uniform is divergent.
// Looks at a kernel after inlining; it is true until the kernel changes.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mir {

class Uniformity {
public:
  explicit Uniformity(KernelOp kernel);

  bool isUniform(mlir::Value value) const { return !divergent.contains(value); }

  /// The spl.locals that a slice may be a view of.
  llvm::ArrayRef<mlir::Value> viewedLocals(mlir::Value slice) const {
    auto found = localsOf.find(slice);
    return found == localsOf.end() ? llvm::ArrayRef<mlir::Value>() : found->second;
  }

  /// The innermost if or loop around the operation that some work-items enter and others do not;
  /// null where control flow is uniform.
  mlir::Operation *divergentBranch(mlir::Operation *op) const;
  /// What makes such a branch divergent: its condition or bound.
  mlir::Value condition(mlir::Operation *branch) const { return branches.lookup(branch); }

  /// From a divergent value to the operation's result where the difference comes from: each is
  /// divergent because of the next.
  llvm::SmallVector<mlir::Value> causes(mlir::Value value) const;

private:
  void findMemory();
  void findSources();
  bool isSource(mlir::Operation *op);
  bool isSource(CallOp call);
  bool hasOwnDivergence(llvm::StringRef function);

  void diverge(mlir::Value value, mlir::Value because);
  void enterDivergently(mlir::Operation *branch, mlir::Value because);
  void divergeMemory(mlir::Value slice, mlir::Value because);
  void propagate(mlir::OpOperand &use);
  void propagateTo(mlir::Operation *op, mlir::Value because);

  KernelOp kernel;
  llvm::DenseMap<mlir::Value, mlir::Value> divergent; ///< and why; null for a source
  llvm::DenseMap<mlir::Operation *, mlir::Value> branches;
  llvm::SmallVector<mlir::Value> work;

  llvm::DenseSet<mlir::Value> shared; ///< views of memory that other work-items may write
  /// A local diverges when what it holds does.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> localsOf;
  llvm::DenseMap<mlir::Operation *, bool> functions; ///< whether each diverges by itself
};

} // namespace spl::mir
