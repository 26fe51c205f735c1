// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/SaturatingCasts.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace spl::codegen {
namespace {

enum Rounding : unsigned { ToZero, ToNearest, Down, Up };

/// The conversion with this rounding. The order is that of Rounding.
Intrinsic::ID conversion(bool fromDouble, bool to64, bool isSigned, Rounding rounding) {
  static constexpr Intrinsic::ID table[2][2][2][4] = {
      {{{Intrinsic::nvvm_f2ui_rz, Intrinsic::nvvm_f2ui_rn, Intrinsic::nvvm_f2ui_rm,
         Intrinsic::nvvm_f2ui_rp},
        {Intrinsic::nvvm_f2i_rz, Intrinsic::nvvm_f2i_rn, Intrinsic::nvvm_f2i_rm,
         Intrinsic::nvvm_f2i_rp}},
       {{Intrinsic::nvvm_f2ull_rz, Intrinsic::nvvm_f2ull_rn, Intrinsic::nvvm_f2ull_rm,
         Intrinsic::nvvm_f2ull_rp},
        {Intrinsic::nvvm_f2ll_rz, Intrinsic::nvvm_f2ll_rn, Intrinsic::nvvm_f2ll_rm,
         Intrinsic::nvvm_f2ll_rp}}},
      {{{Intrinsic::nvvm_d2ui_rz, Intrinsic::nvvm_d2ui_rn, Intrinsic::nvvm_d2ui_rm,
         Intrinsic::nvvm_d2ui_rp},
        {Intrinsic::nvvm_d2i_rz, Intrinsic::nvvm_d2i_rn, Intrinsic::nvvm_d2i_rm,
         Intrinsic::nvvm_d2i_rp}},
       {{Intrinsic::nvvm_d2ull_rz, Intrinsic::nvvm_d2ull_rn, Intrinsic::nvvm_d2ull_rm,
         Intrinsic::nvvm_d2ull_rp},
        {Intrinsic::nvvm_d2ll_rz, Intrinsic::nvvm_d2ll_rn, Intrinsic::nvvm_d2ll_rm,
         Intrinsic::nvvm_d2ll_rp}}}};
  return table[fromDouble][to64][isSigned][rounding];
}

/// Removes a rounding of the value to an integer, and returns which one it was.
Rounding takeRounding(Value *&value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call)
    return ToZero;
  Rounding rounding = ToZero;
  switch (call->getIntrinsicID()) {
  case Intrinsic::trunc:
    break;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    rounding = ToNearest;
    break;
  case Intrinsic::floor:
    rounding = Down;
    break;
  case Intrinsic::ceil:
    rounding = Up;
    break;
  default:
    return ToZero;
  }
  value = call->getArgOperand(0);
  return rounding;
}

/// The conversion of one number.
Value *convert(Value *from, Rounding rounding, unsigned width, bool isSigned, bool mayBeNan,
               IRBuilder<> &builder) {
  const bool fromDouble = from->getType()->isDoubleTy(), to64 = width == 64;
  if (!fromDouble && !from->getType()->isFloatTy()) // half and bfloat
    from = builder.CreateFPExt(from, builder.getFloatTy());
  Value *result = builder.CreateIntrinsic(conversion(fromDouble, to64, isSigned, rounding), {from});
  // The instruction returns 0 for NaN only for a float to an integer of up to 32 bits.
  if (mayBeNan && (fromDouble || to64))
    result = builder.CreateSelect(builder.CreateFCmpUNO(from, from),
                                  ConstantInt::getNullValue(result->getType()), result);
  if (width >= 32)
    return result;
  const auto limit = [&](Intrinsic::ID extreme, const APInt &value) {
    result = builder.CreateBinaryIntrinsic(
        extreme, result, builder.getInt(isSigned ? value.sext(32) : value.zext(32)));
  };
  if (isSigned) {
    limit(Intrinsic::smax, APInt::getSignedMinValue(width));
    limit(Intrinsic::smin, APInt::getSignedMaxValue(width));
  } else {
    limit(Intrinsic::umin, APInt::getMaxValue(width));
  }
  return builder.CreateTrunc(result, builder.getIntNTy(width));
}

void expand(IntrinsicInst &cast) {
  const bool isSigned = cast.getIntrinsicID() == Intrinsic::fptosi_sat;
  const unsigned width = cast.getType()->getScalarSizeInBits();
  Value *from = cast.getArgOperand(0);
  const bool mayBeNan = !isKnownNeverNaN(from, SimplifyQuery(cast.getDataLayout(), &cast));
  const Rounding rounding = takeRounding(from);
  IRBuilder<> builder(&cast);
  Value *result = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(cast.getType())) {
    result = PoisonValue::get(vector);
    for (unsigned lane = 0; lane != vector->getNumElements(); ++lane)
      result = builder.CreateInsertElement(result,
                                           convert(builder.CreateExtractElement(from, lane),
                                                   rounding, width, isSigned, mayBeNan, builder),
                                           lane);
  } else {
    result = convert(from, rounding, width, isSigned, mayBeNan, builder);
  }
  cast.replaceAllUsesWith(result);
  cast.eraseFromParent();
}

} // namespace

void expandSaturatingCasts(Module &module) {
  SmallVector<IntrinsicInst *> casts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == Intrinsic::fptosi_sat ||
            call->getIntrinsicID() == Intrinsic::fptoui_sat)
          if (call->getType()->getScalarSizeInBits() <= 64)
            casts.push_back(call);
  for (IntrinsicInst *cast : casts)
    expand(*cast);
}

} // namespace spl::codegen
