// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-join-checks: see GpuPasses.td.
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Invariants.h"
#include "mir/transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace spl::mir {
#define GEN_PASS_DEF_JOINCHECKS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;

namespace {

/// The maximum depth of the expression of a condition that is found to be the same in all rounds.
constexpr unsigned maxDepth = 8;

/// The maximum number of checks that share a branch. LLVM takes more than linear time for more.
constexpr size_t maxChecks = 16;

/// Checks that follow each other in one block, and can share a branch.
class CheckSequence {
public:
  /// \p loop is the innermost loop around the block, or null.
  explicit CheckSequence(Operation *loop) : loop(loop) {}

  /// Adds the next operation of the block. The sequence ends in front of it if it has effects, is a
  /// check that depends on what the sequence guards, or is a check that is the same in all rounds
  /// of the loop.
  void add(Operation *op) {
    auto check = dyn_cast<CheckOp>(op);
    // LLVM moves a check that is the same in all rounds out of the loop, if its branch is its own.
    if (check && loop && isInvariant(loop, check.getCondition(), maxDepth)) {
      end();
      return;
    }
    if (check) {
      if (isGuarded(op) || checks.size() == maxChecks)
        end();
      checks.push_back(check);
      guardedBeforeLast = guarded.size();
      return;
    }
    if (op->getNumRegions() != 0 || !(isa<LoadOp>(op) || isMemoryEffectFree(op)))
      end();
    else if (!checks.empty() && (isGuarded(op) || !isPure(op) || mayTrap(op)))
      guarded.insert(op);
  }

  /// Joins the checks, and begins a new sequence.
  void end() {
    if (checks.size() > 1)
      join();
    checks.clear();
    guarded.clear();
    guardedBeforeLast = 0;
  }

private:
  bool isGuarded(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) { return guarded.contains(operand.getDefiningOp()); });
  }

  void join() {
    CheckOp last = checks.back();
    Operation *after = last;
    for (Operation *op : llvm::ArrayRef(guarded.getArrayRef()).take_front(guardedBeforeLast)) {
      op->moveAfter(after);
      after = op;
    }
    OpBuilder builder(last);
    const Location location = last.getLoc();
    // No condition is poison where an earlier check fails (docs/mir.md, "Effects").
    Value all = checks.front().getCondition();
    for (CheckOp check : llvm::drop_begin(checks))
      all = arith::AndIOp::create(builder, location, all, check.getCondition());
    const Value no = arith::ConstantOp::create(builder, location, builder.getBoolAttr(false)),
                yes = arith::ConstantOp::create(builder, location, builder.getBoolAttr(true)),
                fails = arith::XOrIOp::create(builder, location, all, yes);
    auto fault = scf::IfOp::create(builder, location, fails, /*withElseRegion=*/false);
    for (CheckOp check : checks)
      check->moveBefore(fault.thenBlock()->getTerminator());
    last.getConditionMutable().assign(no); // if no other check has failed, this one does
  }

  Operation *loop;
  SmallVector<CheckOp> checks;
  /// What follows the first check and must not run before the checks have passed, and what depends
  /// on it.
  llvm::SmallSetVector<Operation *, 16> guarded;
  size_t guardedBeforeLast = 0; ///< how many of them are in front of the last check
};

struct JoinChecksPass : spl::mir::impl::JoinChecksBase<JoinChecksPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function->hasAttr(SplDialect::coldAttr))
        function.walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      Operation *parent = block->getParentOp();
      CheckSequence sequence(isa<LoopLikeOpInterface>(parent)
                                 ? parent
                                 : parent->getParentOfType<LoopLikeOpInterface>());
      for (Operation &op : llvm::make_early_inc_range(*block))
        sequence.add(&op);
      sequence.end();
    }
  }
};

} // namespace
