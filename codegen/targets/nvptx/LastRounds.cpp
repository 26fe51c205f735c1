// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/LastRounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// Whether the value is one more than the limit in the last round, and not larger than the limit in
/// the rounds before.
bool exceedsLast(Value *value, Value *limit, Loop &loop, ScalarEvolution &evolution) {
  const auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
  if (!sum || sum->getLoop() != &loop || !sum->isAffine() || !sum->hasNoSignedWrap() ||
      !sum->getStepRecurrence(evolution)->isOne() || !loop.isLoopInvariant(limit))
    return false;
  const SCEV *last = sum->evaluateAtIteration(evolution.getBackedgeTakenCount(&loop), evolution);
  return evolution.getMinusSCEV(last, evolution.getSCEV(limit))->isOne();
}

/// Replaces the minimum by a selection. LLVM peels loops for comparisons only.
void select(MinMaxIntrinsic &minimum, Value *value, Value *limit) {
  IRBuilder<> builder(&minimum);
  Value *last = builder.CreateAdd(limit, ConstantInt::get(limit->getType(), 1));
  minimum.replaceAllUsesWith(builder.CreateSelect(builder.CreateICmpEQ(value, last), limit, value));
}

struct SeparateLastRounds : PassInfoMixin<SeparateLastRounds> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    ScalarEvolution &evolution = results.SE;
    if (!loop.isInnermost() || loop.getExitingBlock() != loop.getLoopLatch() ||
        !evolution.hasLoopInvariantBackedgeTakenCount(&loop))
      return PreservedAnalyses::all();
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : make_early_inc_range(*block)) {
        auto *minimum = dyn_cast<MinMaxIntrinsic>(&instruction);
        if (!minimum || minimum->getIntrinsicID() != Intrinsic::smin)
          continue;
        Value *left = minimum->getLHS(), *right = minimum->getRHS();
        if (exceedsLast(left, right, loop, evolution))
          select(*minimum, left, right);
        else if (exceedsLast(right, left, loop, evolution))
          select(*minimum, right, left);
        else
          continue;
        evolution.forgetValue(minimum);
        minimum->eraseFromParent();
      }
    return getLoopPassPreservedAnalyses();
  }
};

} // namespace

void separateLastRounds(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(SeparateLastRounds());
      });
}

} // namespace spl::codegen
