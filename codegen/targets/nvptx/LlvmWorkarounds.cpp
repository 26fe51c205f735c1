// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/LlvmWorkarounds.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace spl::codegen {

/// Copies an integer of 16, 32 or 64 bits, or each lane of a vector, by inline assembly, which LLVM
/// does not analyse.
static Value *opaqueCopy(Value *value, IRBuilder<> &builder) {
  Type *type = value->getType();
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *copy = PoisonValue::get(type);
    for (unsigned lane = 0; lane != vector->getNumElements(); ++lane) {
      Value *element = opaqueCopy(builder.CreateExtractElement(value, lane), builder);
      copy = builder.CreateInsertElement(copy, element, lane);
    }
    return copy;
  }
  unsigned bits = type->getIntegerBitWidth();
  StringRef constraints = bits == 16 ? "=h,h" : bits == 32 ? "=r,r" : "=l,l";
  std::string move = "mov.b" + std::to_string(bits) + " $0, $1;";
  auto *copy = InlineAsm::get(FunctionType::get(type, {type}, false), move, constraints,
                              /*hasSideEffects=*/false);
  return builder.CreateCall(copy, {value});
}

// InstCombine replaces the comparison of a bitcast with zero by a comparison of integers: `fcmp oeq
// (bitcast x), 0` becomes `icmp eq (and x, mask), 0`. It does not check that x is an integer. If x
// is a float, the module becomes invalid. The only floats of the same size are half and bfloat.
// Therefore each bitcast to or from bfloat gets a copy that InstCombine cannot combine with another
// bitcast.
static void hideBitcastsOfBfloat(Module &module) {
  SmallVector<BitCastInst *> casts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *cast = dyn_cast<BitCastInst>(&instruction))
        if (cast->getSrcTy()->getScalarType()->isBFloatTy() !=
            cast->getDestTy()->getScalarType()->isBFloatTy())
          casts.push_back(cast);
  for (BitCastInst *cast : casts) {
    IRBuilder<> builder(cast);
    unsigned bits = cast->getSrcTy()->getPrimitiveSizeInBits();
    unsigned lane = bits >= 64 ? 64 : bits > 32 ? 16 : bits;
    Type *integers = builder.getIntNTy(lane);
    if (bits != lane)
      integers = FixedVectorType::get(integers, bits / lane);
    Value *copy = opaqueCopy(builder.CreateBitCast(cast->getOperand(0), integers), builder);
    Value *result = builder.CreateBitCast(copy, cast->getDestTy());
    cast->replaceAllUsesWith(result);
    cast->eraseFromParent();
  }
}

void workAroundNvptx(Module &module) { hideBitcastsOfBfloat(module); }

std::string withoutFlushedComparisons(StringRef ptx) {
  constexpr StringLiteral flush = ".ftz";
  std::string text;
  size_t copied = 0;
  for (size_t at = 0; (at = ptx.find(".ftz.bf16", at)) != StringRef::npos; at += flush.size()) {
    const StringRef line = ptx.substr(ptx.rfind('\n', at) + 1);
    if (!line.ltrim().starts_with("setp.")) // ex2.approx.ftz.bf16 is an instruction
      continue;
    text += ptx.slice(copied, at);
    copied = at + flush.size();
  }
  text += ptx.drop_front(copied);
  return text;
}

} // namespace spl::codegen
