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

/// Checks of one block that can share a branch, in their order.
class Group {
public:
  /// \p loop is the innermost loop around the block, or null.
  explicit Group(Operation *loop) : loop(loop) {}

  /// Adds the next operation of the block. Joins the checks so far if it cannot come between
  /// checks, or is a check that depends on what they guard.
  void add(Operation *op) {
    auto check = dyn_cast<CheckOp>(op);
    // LLVM moves a check that is the same in all rounds out of the loop, if its branch is its own.
    if (check && loop && isInvariant(loop, check.getCondition(), maxDepth)) {
      join();
      return;
    }
    if (check && !isGuarded(op)) {
      checks.push_back(check);
      return;
    }
    if (check || op->getNumRegions() != 0 || !(isa<LoadOp>(op) || isMemoryEffectFree(op))) {
      join();
      if (check)
        checks.push_back(check);
      return;
    }
    // Whatever cannot run before the checks have to hold, and what depends on it.
    if (!checks.empty() && (isGuarded(op) || !isPure(op) || mayTrap(op)))
      guarded.insert(op);
  }

  /// Joins the checks, and begins a new group.
  void join() {
    if (checks.size() > 1)
      joinChecks();
    checks.clear();
    guarded.clear();
  }

private:
  bool isGuarded(Operation *op) const {
    return llvm::any_of(op->getOperands(),
                        [&](Value operand) { return guarded.contains(operand.getDefiningOp()); });
  }

  void joinChecks() {
    CheckOp last = checks.back();
    Operation *after = last;
    for (Operation *op : guarded)
      if (op->isBeforeInBlock(last)) {
        op->moveAfter(after);
        after = op;
      }
    OpBuilder builder(last);
    const Location location = last.getLoc();
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
  llvm::SmallSetVector<Operation *, 16> guarded; ///< what follows the first check, and may not run
                                                 ///< before the checks
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
      Group group(isa<LoopLikeOpInterface>(parent)
                      ? parent
                      : parent->getParentOfType<LoopLikeOpInterface>());
      for (Operation &op : llvm::make_early_inc_range(*block))
        group.add(&op);
      group.join();
    }
  }
};

} // namespace
