// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/SmallQuotients.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <bit>
#include <cmath>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// The integers of this many bits are few enough to try each of them.
constexpr unsigned mostBits = 16;

/// 1 / divisor as an unevaluated sum.
struct Reciprocal {
  float high, low;

  explicit Reciprocal(float divisor)
      : high(1 / divisor), low(float(1 / double(divisor) - double(high))) {}
  float times(float number) const { return std::fma(number, high, number * low); }
};

struct Integers {
  int64_t least, most;
};

/// The integers that a dividend may be, or nothing if they are too many.
std::optional<Integers> integersOf(const Value &dividend) {
  const auto *conversion = dyn_cast<CastInst>(&dividend);
  if (!conversion || !isa<UIToFPInst, SIToFPInst>(conversion))
    return std::nullopt;
  const Value *integer = conversion->getOperand(0);
  const bool isSigned = isa<SIToFPInst>(conversion);
  const unsigned bits = integer->getType()->getScalarSizeInBits();
  if (bits > mostBits)
    return std::nullopt;
  const int64_t count = int64_t(1) << bits;
  return isSigned ? Integers{-count / 2, count / 2 - 1} : Integers{0, count - 1};
}

/// Whether the product with the reciprocal has the bits of each quotient.
bool hasQuotients(const Reciprocal &reciprocal, float divisor, const Integers &integers) {
  for (int64_t number = integers.least; number <= integers.most; ++number)
    if (std::bit_cast<uint32_t>(reciprocal.times(float(number))) !=
        std::bit_cast<uint32_t>(float(number) / divisor))
      return false;
  return true;
}

/// The product for the division, or null if it is none of a small integer and a constant.
Value *productFor(Instruction &division) {
  const APFloat *divisor;
  Value *dividend;
  if (!division.getType()->getScalarType()->isFloatTy() ||
      !match(&division, m_FDiv(m_Value(dividend), m_APFloatAllowPoison(divisor))) ||
      !divisor->isNormal())
    return nullptr;
  const Reciprocal reciprocal(divisor->convertToFloat());
  const std::optional<Integers> integers = integersOf(*dividend);
  if (!integers || !std::isnormal(reciprocal.high) || !std::isnormal(reciprocal.low) ||
      !hasQuotients(reciprocal, divisor->convertToFloat(), *integers))
    return nullptr;
  IRBuilder<> builder(&division);
  Type *type = division.getType();
  Value *low = builder.CreateFMul(dividend, ConstantFP::get(type, reciprocal.low));
  return builder.CreateIntrinsic(Intrinsic::fma, {type},
                                 {dividend, ConstantFP::get(type, reciprocal.high), low});
}

} // namespace

PreservedAnalyses SmallQuotientsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (Value *product = productFor(instruction)) {
      instruction.replaceAllUsesWith(product);
      instruction.eraseFromParent();
      hasChanged = true;
    }
  if (!hasChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace spl::codegen
