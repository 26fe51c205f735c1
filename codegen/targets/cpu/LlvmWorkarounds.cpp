// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/LlvmWorkarounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <numeric>

using namespace llvm;

namespace spl::codegen {
namespace {

// The x86 back end's code for llvm.maximumnum and minimumnum returns NaN if one operand is NaN and
// the other is known not to be NaN, such as a converted integer. This emits comparisons and selects
// instead. If one operand is NaN, the result is the other one. The bits of equal operands are
// combined by AND or OR, because only zeros can be equal and differ.
Value *rewriteMinMax(IntrinsicInst &call, bool isMax) {
  IRBuilder<> builder(&call);
  Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  Type *type = a->getType();
  Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
  Value *isFirst = isMax ? builder.CreateFCmpOGT(a, b) : builder.CreateFCmpOLT(a, b);
  Value *chosen = builder.CreateSelect(isFirst, a, b);
  Value *aBits = builder.CreateBitCast(a, bits), *bBits = builder.CreateBitCast(b, bits);
  Value *merged = isMax ? builder.CreateAnd(aBits, bBits) : builder.CreateOr(aBits, bBits);
  chosen = builder.CreateSelect(builder.CreateFCmpOEQ(a, b), builder.CreateBitCast(merged, type),
                                chosen);
  chosen = builder.CreateSelect(builder.CreateFCmpUNO(b, b), a, chosen);
  call.replaceAllUsesWith(chosen);
  call.eraseFromParent();
  return chosen;
}

// For a reduction by llvm.maximumnum or minimumnum, the loop vectoriser combines the lanes at the
// end by fmax or fmin, which may return either zero. This combines one half of the lanes with the
// other by the original operation, until one lane is left.
void rewriteReduction(IntrinsicInst &call, Intrinsic::ID id) {
  IRBuilder<> builder(&call);
  Value *lanes = call.getArgOperand(0);
  unsigned count = cast<FixedVectorType>(lanes->getType())->getNumElements();
  while (count > 1) {
    SmallVector<int> low(count / 2), high(count / 2);
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), count / 2);
    lanes = builder.CreateBinaryIntrinsic(id, builder.CreateShuffleVector(lanes, low),
                                          builder.CreateShuffleVector(lanes, high));
    if (auto *half = dyn_cast<IntrinsicInst>(lanes))
      lanes = rewriteMinMax(*half, id == Intrinsic::maximumnum);
    count /= 2;
  }
  call.replaceAllUsesWith(builder.CreateExtractElement(lanes, uint64_t(0)));
  call.eraseFromParent();
}

// The x86 back end widens a mask of 8 lanes for 8 bytes to 16 lanes by KMOVB, which clears the
// upper half. The register allocator treats KMOVB as a copy and may remove it. Then the code
// accesses 16 bytes. The rewrite uses scatter and gather. x86 has no such instructions for bytes,
// so they become branches.
bool isEightBytes(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 8 && vector->getScalarSizeInBits() == 8;
}

Value *lanePointers(IRBuilder<> &builder, Value *base) {
  SmallVector<Constant *> offsets;
  for (int64_t lane = 0; lane != 8; ++lane)
    offsets.push_back(builder.getInt64(lane));
  return builder.CreateGEP(builder.getInt8Ty(), base, ConstantVector::get(offsets));
}

void rewriteMaskedStore(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  builder.CreateMaskedScatter(call.getArgOperand(0), lanePointers(builder, call.getArgOperand(1)),
                              Align(1), call.getArgOperand(call.arg_size() - 1));
  call.eraseFromParent();
}

void rewriteMaskedLoad(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  // The arguments are pointer, ..., mask, value of masked-out lanes.
  const unsigned count = call.arg_size();
  call.replaceAllUsesWith(builder.CreateMaskedGather(
      call.getType(), lanePointers(builder, call.getArgOperand(0)), Align(1),
      call.getArgOperand(count - 2), call.getArgOperand(count - 1)));
  call.eraseFromParent();
}

void rewrite(IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::maximumnum:
    rewriteMinMax(call, /*isMax=*/true);
    return;
  case Intrinsic::minimumnum:
    rewriteMinMax(call, /*isMax=*/false);
    return;
  case Intrinsic::vector_reduce_fmax:
    return rewriteReduction(call, Intrinsic::maximumnum);
  case Intrinsic::vector_reduce_fmin:
    return rewriteReduction(call, Intrinsic::minimumnum);
  case Intrinsic::masked_store:
    if (isEightBytes(call.getArgOperand(0)->getType()))
      rewriteMaskedStore(call);
    return;
  case Intrinsic::masked_load:
    if (isEightBytes(call.getType()))
      rewriteMaskedLoad(call);
    return;
  default: // LLVM has thousands of intrinsics
    return;
  }
}

// The loop vectoriser divides once per lane if the division is conditional. If the operands are the
// same for all lanes, it computes the users of the quotient from the first lane only. The quotient
// of the first lane is poison if the condition is false for that lane. This divides before the loop
// instead, by 1 if the division would have undefined behaviour.
Value *divideBefore(BinaryOperator &division, Loop &loop) {
  IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  Type *type = division.getType();
  Value *dividend = builder.CreateFreeze(division.getOperand(0));
  Value *divisor = builder.CreateFreeze(division.getOperand(1));
  Value *isBad = builder.CreateICmpEQ(divisor, ConstantInt::get(type, 0));
  if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
    Value *least = ConstantInt::get(type, APInt::getSignedMinValue(type->getIntegerBitWidth()));
    Value *wraps =
        builder.CreateAnd(builder.CreateICmpEQ(divisor, ConstantInt::getAllOnesValue(type)),
                          builder.CreateICmpEQ(dividend, least));
    isBad = builder.CreateOr(isBad, wraps);
  }
  divisor = builder.CreateSelect(isBad, ConstantInt::get(type, 1), divisor);
  return builder.CreateBinOp(division.getOpcode(), dividend, divisor);
}

bool hoistDivisions(Loop &loop, LoopInfo &loops) {
  if (!loop.getLoopPreheader())
    return false;
  bool changed = false;
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (changed) // users of a hoisted quotient are loop-invariant now
        loop.makeLoopInvariant(&instruction, changed);
      if (!instruction.isIntDivRem() || !instruction.getType()->isIntegerTy() ||
          !loop.contains(&instruction) || !loop.hasLoopInvariantOperands(&instruction))
        continue;
      instruction.replaceAllUsesWith(divideBefore(cast<BinaryOperator>(instruction), loop));
      instruction.eraseFromParent();
      changed = true;
    }
  return changed;
}

// A conditional division whose operands vary also divides once per lane. An address that is
// computed from it may be consecutive: (x / n) * n + x % n is x. Then the vectoriser takes the
// address from the first lane, where the quotient is poison if the condition is false for that
// lane. Behind a freeze the address is not known to be consecutive.
bool freezeQuotients(Loop &loop, const DominatorTree &dominators) {
  BasicBlock *latch = loop.getLoopLatch();
  bool changed = false;
  for (BasicBlock *block : loop.blocks()) {
    if (latch && dominators.dominates(block, latch))
      continue;
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (!instruction.isIntDivRem() || !instruction.getType()->isIntegerTy() ||
          isa<ConstantInt>(instruction.getOperand(1)))
        continue;
      auto *frozen = new FreezeInst(&instruction, "", std::next(instruction.getIterator()));
      instruction.replaceUsesWithIf(frozen, [&](Use &use) { return use.getUser() != frozen; });
      changed = true;
    }
  }
  return changed;
}

// The vectoriser loads every second element of a row together with the elements between them, and
// with one after the last. That one is in bounds because a last iteration runs as scalar code and
// loads an element after it. In a loop with several exits that iteration may leave before its
// load, as at a failed check, and the element is beyond the end of the memory. Such a loop is not
// vectorised.
bool keepScalarWithGaps(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.size() < 2)
    return false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      auto *address =
          load ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load->getPointerOperand())) : nullptr;
      auto *step = address && address->getLoop() == &loop
                       ? dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution))
                       : nullptr;
      if (!step)
        continue;
      const uint64_t size = load->getDataLayout().getTypeStoreSize(load->getType());
      if (step->getAPInt().abs().ugt(size)) {
        addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 0);
        return true;
      }
    }
  return false;
}

} // namespace

PreservedAnalyses WorkAroundVectorizer::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  const DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) {
      changed |= hoistDivisions(*loop, loops);
      changed |= freezeQuotients(*loop, dominators);
      changed |= keepScalarWithGaps(*loop, evolution);
    }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

// If x is never infinite and y is never 0, InstCombine replaces fmod(x, y) by an frem that assumes
// that x is not NaN.
void workAroundOptimizer(Module &module) {
  for (StringRef name : {"fmod", "fmodf"})
    if (Function *function = module.getFunction(name))
      function->addFnAttr(Attribute::NoBuiltin);
}

void workAroundBackend(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    if (function.isIntrinsic())
      for (User *user : function.users())
        if (auto *call = dyn_cast<IntrinsicInst>(user))
          calls.push_back(call);
  for (IntrinsicInst *call : calls)
    rewrite(*call);
}

} // namespace spl::codegen
