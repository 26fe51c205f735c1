// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Walk.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace spl::mir::bounds {

bool isFault(scf::IfOp choice) {
  if (choice.getNumResults() != 0 || !choice.getElseRegion().empty())
    return false;
  bool fails = false;
  for (Operation &op : choice.getThenRegion().front().without_terminator()) {
    auto check = dyn_cast<CheckOp>(op);
    fails |= check && matchPattern(check.getCondition(), m_Zero());
    if (!check && !isa<PrintOp>(op) && !isMemoryEffectFree(&op))
      return false;
  }
  return fails;
}

static void walkRegions(Analysis &analysis, Operation &op,
                        llvm::function_ref<void(Operation *)> visit) {
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    if (isFault(choice))
      return analysis.assume(choice.getCondition(), false);
    for (bool way : {true, false}) {
      Region &arm = way ? choice.getThenRegion() : choice.getElseRegion();
      if (arm.empty())
        continue;
      Analysis::Scope scope(analysis);
      analysis.assume(choice.getCondition(), way);
      walk(analysis, arm.front(), visit);
    }
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Analysis::Scope scope(analysis);
    analysis.enter(loop);
    walk(analysis, *loop.getBeforeBody(), visit);
    analysis.enterBody(loop);
    walk(analysis, *loop.getAfterBody(), visit);
  } else {
    for (Region &region : op.getRegions())
      for (Block &inner : region) {
        Analysis::Scope scope(analysis);
        if (auto loop = dyn_cast<scf::ForOp>(op))
          analysis.enter(loop);
        walk(analysis, inner, visit);
      }
  }
}

void walk(Analysis &analysis, Block &block, llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block) {
    analysis.steps.startShare();
    visit(&op);
    if (auto check = dyn_cast<CheckOp>(op)) {
      if (check.getKind() == FaultKind::AssertionFailed)
        analysis.assume(check.getCondition(), true);
      else
        analysis.remember(check.getCondition());
    } else {
      walkRegions(analysis, op, visit);
    }
  }
}

} // namespace spl::mir::bounds
