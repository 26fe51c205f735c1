// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/LongRounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

constexpr unsigned rounds = 4; ///< nvcc unrolls such loops by the same factor
/// The number of instructions of a round. LLVM and ptxas unroll shorter ones as well or better.
constexpr unsigned minInstructions = 16, maxInstructions = 64;
/// The least number of instructions for each load. The loads of all rounds may be under way at
/// once, each with a register for its result, and two for its address.
constexpr unsigned instructionsPerLoad = 8;

/// The instructions of a division or square root, without those for rare operands.
constexpr unsigned sizeOfDivision = 8;

struct Size {
  unsigned instructions = 0, loads = 0;
};

/// The number of instructions that ptxas makes of this one, roughly. Vectors become scalars.
unsigned sizeOf(const Instruction &instruction) {
  if (isa<PHINode, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(instruction) ||
      instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
    return 0;
  if (isa<LoadInst, StoreInst>(instruction))
    return 1;
  const auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  const bool isDivision = instruction.getOpcode() == Instruction::FDiv ||
                          match(&instruction, m_Intrinsic<Intrinsic::sqrt>(m_Value()));
  return (type ? type->getNumElements() : 1) * (isDivision ? sizeOfDivision : 1);
}

/// The size of a round, or nothing if the loop has operations that cannot be repeated.
std::optional<Size> sizeOf(const Loop &loop) {
  Size size;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (call->isConvergent() || !isa<IntrinsicInst>(call))
          return std::nullopt;
      size.loads += isa<LoadInst>(instruction);
      size.instructions += sizeOf(instruction);
    }
  return size;
}

bool hasUnknownCount(const Loop &loop, ScalarEvolution &evolution) {
  return loop.isInnermost() && loop.getExitingBlock() &&
         loop.getExitingBlock() == loop.getLoopLatch() &&
         evolution.hasLoopInvariantBackedgeTakenCount(&loop) &&
         evolution.getSmallConstantTripCount(&loop) == 0;
}

void requestUnrolling(Loop &loop, ScalarEvolution &evolution) {
  if (hasUnrollTransformation(&loop) != TM_Unspecified || !hasUnknownCount(loop, evolution))
    return;
  const std::optional<Size> size = sizeOf(loop);
  if (size && size->instructions >= minInstructions && size->instructions <= maxInstructions &&
      size->loads * instructionsPerLoad <= size->instructions)
    addStringMetadataToLoop(&loop, "llvm.loop.unroll.count", rounds);
}

struct UnrollLongRounds : PassInfoMixin<UnrollLongRounds> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      requestUnrolling(*loop, evolution);
    return PreservedAnalyses::all();
  }
};

} // namespace

void unrollLongRounds(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(UnrollLongRounds());
      });
}

} // namespace spl::codegen
