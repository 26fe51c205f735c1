// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What building SSA directly must know about a function's statements before it reaches them, found
// in one pass over the body: a number for each local, what each loop assigns and how its body can
// leave it, which ifs never run through to their end. Owns its tables; cannot fail.
#pragma once

#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace spl::mirgen {

/// The number of a local, in the order of declaration in the source. A local that holds slices has
/// a slot for each of its leaves (sema/Leaves.h), side by side.
using Slot = unsigned;

/// The numbers of the parts that a field or an element of a value that holds slices may be: all of
/// them for an index that is known only at run time.
llvm::SmallVector<uint64_t, 1> partsOf(const sema::Expr &place);

struct LoopFacts {
  Slot firstSlot = 0;               ///< the loop's own locals begin here
  llvm::SmallVector<Slot> assigned; ///< locals from outside that its body assigns, ascending
  bool breaks = false;
  bool returns = false; ///< also from a loop inside
};

class FunctionFacts {
public:
  explicit FunctionFacts(const sema::Function &function);

  unsigned slotCount() const { return count; }
  /// Whether the local is in memory: an aggregate, or a scalar or vector to which an argument
  /// refers. Its slot holds a slice of one element.
  bool isInMemory(const sema::Local *local) const { return isInMemory(local, local->type); }
  /// The same of a leaf of that type.
  bool isInMemory(const sema::Local *local, sema::Type leaf) const {
    return leaf.isAggregate() || (function.referenced.contains(local) && !leaf.isSlice());
  }
  /// The slot of the local, or of its first leaf.
  Slot slot(const sema::Local *local) const { return slots.lookup(local); }
  const LoopFacts &loop(const sema::Stmt &stmt) const { return loops.find(&stmt)->second; }
  /// Whether every path through it ends in break, continue or return.
  bool alwaysExits(const sema::Stmt &stmt) const;
  bool alwaysExits(sema::Block block) const;

private:
  void declare(const sema::Local *local);
  /// Notes the slots that an assignment to the place may change. It changes none in memory.
  void assign(const sema::Expr *place);
  void visit(sema::Block block);
  void visit(const sema::Stmt &stmt);
  void visitIf(const sema::IfStmt &stmt);
  void visitLoop(const sema::Stmt &stmt, const sema::Local *variable, sema::Block body);

  const sema::Function &function;
  unsigned count = 0;
  llvm::DenseMap<const sema::Local *, Slot> slots;
  llvm::DenseMap<const sema::Stmt *, LoopFacts> loops;
  llvm::DenseSet<const sema::Stmt *> exitingIfs;
  LoopFacts *innermost = nullptr; ///< the loop being visited
};

} // namespace spl::mirgen
