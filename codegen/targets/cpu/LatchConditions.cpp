// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/LatchConditions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// If \p next has the values start + 1, start + 2 and so on in the iterations of the loop, returns
/// start; otherwise null.
const SCEV *startOfCounter(Value *next, const Loop &loop, ScalarEvolution &evolution) {
  auto *values = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(next));
  if (!values || values->getLoop() != &loop || !values->isAffine() ||
      !values->getStepRecurrence(evolution)->isOne())
    return nullptr;
  return evolution.getMinusSCEV(values->getStart(), evolution.getOne(next->getType()));
}

/// Whether the narrow test ends the loop when the counter is \p end, and not earlier. It ends the
/// loop at the first of start + 1, start + 2 and so on whose low n bits are those of end, where n
/// is the width of end. This value is end itself if start is less than end and not less than the
/// least integer of n bits, because there are then fewer than 2^n values from start + 1 to end.
bool isFirstMatch(Value *end, const SCEV *start, const Loop &loop, ScalarEvolution &evolution) {
  Type *wide = start->getType();
  const APInt least = APInt::getSignedMinValue(end->getType()->getIntegerBitWidth());
  return evolution.getSignedRangeMin(start).sge(least.sext(wide->getIntegerBitWidth())) &&
         evolution.isLoopEntryGuardedByCond(
             &loop, ICmpInst::ICMP_SLT, start,
             evolution.getSignExtendExpr(evolution.getSCEV(end), wide));
}

/// Replaces the test at the latch of one loop. Returns false if the test has another form, or if
/// the wide test might end the loop after another iteration.
bool widenTest(const Loop &loop, ScalarEvolution &evolution) {
  BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!before || !branch || !branch->isConditional())
    return false;
  auto *test = dyn_cast<ICmpInst>(branch->getCondition());
  // The loop goes on while the values differ.
  const bool goesOnIfTrue = branch->getSuccessor(0) == loop.getHeader();
  if (!test || test->getPredicate() != (goesOnIfTrue ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ))
    return false;
  Value *low = test->getOperand(0), *end = test->getOperand(1);
  if (loop.isLoopInvariant(low))
    std::swap(low, end);
  auto *truncation = dyn_cast<TruncInst>(low);
  if (!truncation || !loop.isLoopInvariant(end))
    return false;
  Value *next = truncation->getOperand(0);
  const SCEV *start = startOfCounter(next, loop, evolution);
  if (!start || !isFirstMatch(end, start, loop, evolution))
    return false;
  Value *wideEnd = IRBuilder<>(before->getTerminator()).CreateSExt(end, next->getType());
  branch->setCondition(IRBuilder<>(branch).CreateICmp(test->getPredicate(), next, wideEnd));
  RecursivelyDeleteTriviallyDeadInstructions(test);
  return true;
}

} // namespace

PreservedAnalyses WidenLatchConditions::run(Function &function, FunctionAnalysisManager &analyses) {
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (const Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    changed |= widenTest(*loop, evolution);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace spl::codegen
