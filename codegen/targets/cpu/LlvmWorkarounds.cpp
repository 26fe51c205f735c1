// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/LlvmWorkarounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <numeric>

using namespace llvm;

namespace spl::codegen {
namespace {

// llvm.maximumnum and minimumnum return NaN where one operand is NaN and the other is known not to
// be, such as a converted integer. Compared and selected instead: NaN gives the other operand, and
// of equal operands the bits decide, since only zeros can be equal and differ.
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

// Of a loop over llvm.maximumnum or minimumnum the vectoriser combines the lanes in the end by fmax
// or fmin, which may return either zero. Halved by the former instead.
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

// A mask of 8 lanes for 8 bytes is widened to 16 lanes by KMOVB, which clears the upper half; the
// register allocator takes it for a plain copy and may drop it, and then 16 bytes are written. As
// scatter and gather, which x86 has none of for bytes, the lanes become branches.
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
  const unsigned count = call.arg_size(); // pointer, ..., mask, what masked-out lanes give
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
  default: // LLVM's enumeration: thousands
    return;
  }
}

// A division with a condition around it becomes one for each lane. Where it is the same for all
// lanes, what is made of it is made of the first lane's alone, and that is poison if the first lane
// did not come there. Done before the loop instead, by 1 where it must not be done at all.
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

bool takeDivisionsOut(Loop &loop, LoopInfo &loops) {
  if (!loop.getLoopPreheader())
    return false;
  bool changed = false;
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (changed) // what is made of a quotient is the same in every round now
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

} // namespace

PreservedAnalyses WorkAroundVectorizer::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      changed |= takeDivisionsOut(*loop, loops);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

// InstCombine makes of fmod(x, y), where x is never infinite and y never 0, an frem that may assume
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
