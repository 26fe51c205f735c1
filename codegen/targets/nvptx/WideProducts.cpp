// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/WideProducts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <functional>
#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// A value with the same low 32 bits. It is one value for all operands that are known to have the
/// same low bits.
Value *lowHalf(Value *value) {
  const APInt *number;
  Value *source;
  if (match(value, m_APInt(number)))
    return ConstantInt::get(value->getContext(), number->trunc(32));
  if (match(value, m_ZExtOrSExt(m_Value(source))) && source->getType()->isIntegerTy(32))
    value = source;
  else if (match(value, m_And(m_Value(source), m_APInt(number))) && number->countr_one() >= 32)
    value = source;
  if (match(value, m_Trunc(m_Value(source))) && source->getType()->isIntegerTy(64))
    return source;
  return value;
}

/// The low halves of the operands. They are ordered by address, so that a * b and b * a are the
/// same key. No code depends on the order.
using Operands = std::pair<Value *, Value *>;
Operands operandsOf(const BinaryOperator &product) {
  Value *a = lowHalf(product.getOperand(0)), *b = lowHalf(product.getOperand(1));
  return std::less()(b, a) ? Operands{b, a} : Operands{a, b};
}

/// Moves the wide product to a place before the narrow product, if both are in one block and what
/// the wide product needs can move too. Returns false, and moves nothing, otherwise.
bool moveBefore(BinaryOperator &wide, BinaryOperator &narrow, const DominatorTree &dominators) {
  if (wide.getParent() != narrow.getParent())
    return false;
  SmallVector<Instruction *, 3> toMove;
  for (Value *operand : wide.operands()) {
    auto *extension = dyn_cast<Instruction>(operand);
    if (!extension || dominators.dominates(extension, &narrow) || is_contained(toMove, extension))
      continue;
    const bool isFree = isa<CastInst>(extension) || extension->getOpcode() == Instruction::And;
    if (!isFree || !all_of(extension->operands(), [&](Value *source) {
          return !isa<Instruction>(source) ||
                 dominators.dominates(cast<Instruction>(source), &narrow);
        }))
      return false;
    toMove.push_back(extension);
  }
  toMove.push_back(&wide);
  for (Instruction *instruction : toMove)
    instruction->moveBefore(narrow.getIterator());
  return true;
}

/// Removes nsw, nuw and similar flags of the wide product and its operands, because the narrow
/// product may have a value where they make the wide one poison.
void dropFlags(BinaryOperator &wide) {
  wide.dropPoisonGeneratingFlags();
  for (Value *operand : wide.operands())
    while (auto *cast = dyn_cast<CastInst>(operand)) {
      cast->dropPoisonGeneratingFlags();
      operand = cast->getOperand(0);
    }
}

} // namespace

PreservedAnalyses WideProductsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  DenseMap<Operands, SmallVector<BinaryOperator *, 2>> wideProducts;
  SmallVector<BinaryOperator *> narrowProducts;
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::Mul) {
      auto &product = cast<BinaryOperator>(instruction);
      if (product.getType()->isIntegerTy(64))
        wideProducts[operandsOf(product)].push_back(&product);
      else if (product.getType()->isIntegerTy(32))
        narrowProducts.push_back(&product);
    }
  if (wideProducts.empty() || narrowProducts.empty())
    return PreservedAnalyses::all();

  const auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  bool hasChanged = false;
  for (BinaryOperator *narrow : narrowProducts) {
    const auto found = wideProducts.find(operandsOf(*narrow));
    if (found == wideProducts.end())
      continue;
    for (BinaryOperator *wide : found->second) {
      if (!dominators.dominates(wide, narrow) && !moveBefore(*wide, *narrow, dominators))
        continue;
      dropFlags(*wide);
      IRBuilder<> builder(narrow);
      narrow->replaceAllUsesWith(builder.CreateTrunc(wide, narrow->getType()));
      narrow->eraseFromParent();
      hasChanged = true;
      break;
    }
  }
  if (!hasChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace spl::codegen
