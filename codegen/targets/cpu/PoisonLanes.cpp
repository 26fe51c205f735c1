// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/PoisonLanes.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace spl::codegen {
namespace {

bool isInRange(const ConstantInt &count) { return count.getValue().ult(count.getBitWidth()); }

/// Replaces the counts that are out of range or undefined. Returns null if a lane is neither a
/// number nor undefined. The substitute is the first count in range: if all other counts are equal,
/// the shift then has an immediate count.
Constant *countsInRange(Constant &counts) {
  auto *type = cast<FixedVectorType>(counts.getType());
  Constant *substitute = nullptr;
  SmallVector<Constant *> lanes;
  for (unsigned lane = 0; lane != type->getNumElements(); ++lane) {
    Constant *count = counts.getAggregateElement(lane);
    auto *number = dyn_cast_or_null<ConstantInt>(count);
    if (!number && !isa_and_nonnull<UndefValue>(count))
      return nullptr;
    lanes.push_back(number && isInRange(*number) ? number : nullptr);
    if (!substitute)
      substitute = lanes.back();
  }
  if (!substitute)
    substitute = ConstantInt::get(type->getElementType(), 0);
  for (Constant *&lane : lanes)
    if (!lane)
      lane = substitute;
  return ConstantVector::get(lanes);
}

/// Whether the back end may know that the count of a lane is out of range. Counts that are out of
/// range only at run time do no harm, because the back end assumes nothing about them.
bool isKnownOutOfRange(Value *counts, unsigned lane, const DataLayout &layout) {
  if (Value *count = findScalarElement(counts, lane)) {
    if (auto *number = dyn_cast<ConstantInt>(count))
      return !isInRange(*number);
    if (isa<UndefValue>(count))
      return true;
  }
  auto *type = cast<FixedVectorType>(counts->getType());
  APInt only = APInt::getOneBitSet(type->getNumElements(), lane);
  return computeKnownBits(counts, only, layout).getMinValue().uge(type->getScalarSizeInBits());
}

void boundCounts(BinaryOperator &shift) {
  auto *type = cast<FixedVectorType>(shift.getType());
  Value *counts = shift.getOperand(1);
  if (auto *constant = dyn_cast<Constant>(counts))
    if (Constant *inRange = countsInRange(*constant)) {
      shift.setOperand(1, inRange);
      return;
    }
  if (any_of(seq(type->getNumElements()),
             [&](unsigned lane) { return isKnownOutOfRange(counts, lane, shift.getDataLayout()); }))
    shift.setOperand(
        1, IRBuilder<>(&shift).CreateBinaryIntrinsic(
               Intrinsic::umin, counts, ConstantInt::get(type, type->getScalarSizeInBits() - 1)));
}

} // namespace

void definePoisonLanes(Module &module) {
  SmallVector<BinaryOperator *> shifts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *operation = dyn_cast<BinaryOperator>(&instruction);
      if (!operation || !isa<FixedVectorType>(operation->getType()) ||
          !operation->getType()->isIntOrIntVectorTy())
        continue;
      operation->dropPoisonGeneratingFlags();
      if (operation->isShift())
        shifts.push_back(operation);
    }
  // This runs after all flags are dropped, because known bits of a count may depend on a flag.
  for (BinaryOperator *shift : shifts)
    boundCounts(*shift);
}

} // namespace spl::codegen
