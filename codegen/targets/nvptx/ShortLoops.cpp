// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/ShortLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// Limits of a loop that is unrolled.
constexpr unsigned maxIterations = 32;
/// The maximum number of instructions after unrolling.
constexpr unsigned maxInstructions = 2048;
/// The maximum number of rounds of a loop whose counter is limited, as in LLVM's pass.
constexpr unsigned maxRoundsOfCounter = 8;

/// The maximum number of iterations, or 0 if it is unknown. It is that of LLVM's pass.
unsigned maxIterationsOf(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  unsigned least = 0;
  for (BasicBlock *block : exiting)
    if (unsigned count = evolution.getSmallConstantTripCount(&loop, block))
      least = least == 0 ? count : std::min(least, count);
  return least;
}

unsigned sizeOf(Loop &loop) {
  unsigned size = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      size += !isa<PHINode>(instruction) && !instruction.isDebugOrPseudoInst() &&
              !instruction.isLifetimeStartOrEnd();
  return size;
}

struct UnrollShortLoops : PassInfoMixin<UnrollShortLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (hasUnrollTransformation(&loop) != TM_Unspecified)
      return PreservedAnalyses::all(); // the program decides
    const unsigned iterations = maxIterationsOf(loop, results.SE);
    if (iterations > 1 && iterations <= maxIterations &&
        sizeOf(loop) <= maxInstructions / iterations)
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all();
  }
};

/// Limits the first value of counters that go down, if it is known to be so small that the loop has
/// few rounds. Scalar evolution does not know this of a difference. InstCombine, which runs after
/// LLVM's pass, removes the limit.
struct LimitCounters : PassInfoMixin<LimitCounters> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    bool changed = false;
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->getLoopLatch() && loop->getLoopPreheader())
        for (PHINode &counter : loop->getHeader()->phis())
          changed |= limit(counter, *loop);
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }

  static bool limit(PHINode &counter, Loop &loop) {
    const APInt *step;
    if (!match(counter.getIncomingValueForBlock(loop.getLoopLatch()),
               m_Add(m_Specific(&counter), m_APInt(step))) ||
        !step->isNegative())
      return false;
    Value *first = counter.getIncomingValueForBlock(loop.getLoopPreheader());
    if (isa<Constant>(first))
      return false;
    const APInt most = computeConstantRange(first, /*ForSigned=*/false).getUnsignedMax();
    if (most.udiv(step->abs()).uge(maxRoundsOfCounter))
      return false;
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    counter.setIncomingValueForBlock(
        loop.getLoopPreheader(),
        builder.CreateBinaryIntrinsic(Intrinsic::umin, first,
                                      ConstantInt::get(first->getType(), most)));
    return true;
  }
};

} // namespace

void unrollShortLoops(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(UnrollShortLoops());
      });
  // A loop of which only the maximum number of iterations is known becomes branches.
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() < 2)
          return;
        passes.addPass(LimitCounters());
        passes.addPass(LoopUnrollPass(LoopUnrollOptions(level.getSpeedupLevel())
                                          .setPartial(false)
                                          .setRuntime(false)
                                          .setPeeling(false)
                                          .setUpperBound(true)));
      });
}

} // namespace spl::codegen
