// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/NarrowCounters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// The narrow version of the values of a function that follow from counters.
class Narrowing {
public:
  Narrowing(const LoopInfo &loops, ScalarEvolution &evolution)
      : loops(loops), evolution(evolution) {}

  /// Finds the values. Returns whether there are any.
  bool find() {
    for (const Loop *loop : loops.getLoopsInPreorder())
      if (loop->getLoopLatch() && loop->getLoopPreheader())
        for (PHINode &phi : loop->getHeader()->phis())
          if (countsFrom(phi, *loop))
            addAll(phi, *loop);
    return !wide.empty();
  }

  void replace() {
    for (Instruction *instruction : wide)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        narrow[phi] = PHINode::Create(Type::getInt32Ty(phi->getContext()), 2, phi->getName(),
                                      phi->getIterator());
    for (Instruction *instruction : wide)
      if (auto *phi = dyn_cast<PHINode>(instruction))
        for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
          cast<PHINode>(narrow[phi])->addIncoming(narrowed(value), block);
    SetVector<Instruction *> users;
    for (Instruction *instruction : wide)
      for (User *user : instruction->users())
        if (!wide.contains(cast<Instruction>(user)))
          users.insert(cast<Instruction>(user));
    for (Instruction *user : users)
      replaceUser(*user);
    for (Instruction *user : users)
      if (!extends(*user))
        user->eraseFromParent();
    for (Instruction *instruction : wide)
      instruction->dropAllReferences();
    for (Instruction *instruction : wide)
      instruction->eraseFromParent();
  }

private:
  /// Adds the counter and the operations that follow from it, unless one of them is needed in 64
  /// bits. An address or a product may extend it (extends).
  void addAll(PHINode &phi, const Loop &loop) {
    SetVector<Instruction *> found;
    found.insert(&phi);
    for (size_t i = 0; i < found.size(); ++i) // grows
      for (Use &use : found[i]->uses()) {
        auto *user = cast<Instruction>(use.getUser());
        if (user == &phi || narrowUse(*user, loop))
          continue;
        auto *operation = dyn_cast<BinaryOperator>(user);
        if (operation && isNarrow(*operation))
          found.insert(operation);
        else if (!extends(*user))
          return;
      }
    wide.insert_range(found);
  }

  /// Whether the user of a narrow value of the loop can use 32 bits of it.
  bool narrowUse(Instruction &user, const Loop &loop) {
    if (isa<UIToFPInst>(user))
      return evolution.getSignedRange(evolution.getSCEV(user.getOperand(0))).isAllNonNegative();
    if (isa<TruncInst>(user))
      return user.getType()->getIntegerBitWidth() <= 32;
    if (isa<ICmpInst>(user))
      return all_of(user.operands(),
                    [&](Value *operand) { return fits(operand) || fitsIn(loop, operand); });
    return isa<SIToFPInst>(user);
  }

  /// Whether the user of a narrow value may extend it: an address, because that is one instruction
  /// with its product, and a product of 64 bits, which loop strength reduction replaces by a sum.
  static bool extends(const Instruction &user) {
    return isa<GetElementPtrInst>(user) || user.getOpcode() == Instruction::Mul;
  }

  bool fits(Value *value) { return fits(evolution.getSignedRange(evolution.getSCEV(value))); }
  /// Whether the value fits whenever the loop runs.
  bool fitsIn(const Loop &loop, Value *value) {
    return fits(
        evolution.getSignedRange(evolution.applyLoopGuards(evolution.getSCEV(value), &loop)));
  }
  static bool fits(const ConstantRange &range) {
    return range.getSignedMin().isSignedIntN(32) && range.getSignedMax().isSignedIntN(32);
  }

  bool countsFrom(PHINode &phi, const Loop &loop) {
    if (!phi.getType()->isIntegerTy(64))
      return false;
    const auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
    auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    return sum && sum->getLoop() == &loop && sum->isAffine() && next && fits(&phi) &&
           is_contained(next->operands(), &phi) && isNarrow(*next);
  }

  /// Whether the operation can be computed in 32 bits.
  bool isNarrow(BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Or:
      return fits(&operation);
    case Instruction::Shl:
      return match(operation.getOperand(1),
                   m_SpecificInt_ICMP(ICmpInst::ICMP_ULT, APInt(64, 32))) &&
             fits(&operation);
    default:
      return false;
    }
  }

  /// The low 32 bits of the value.
  Value *narrowed(Value *value) {
    if (auto *number = dyn_cast<ConstantInt>(value))
      return ConstantInt::getSigned(Type::getInt32Ty(value->getContext()),
                                    number->getValue().trunc(32).getSExtValue());
    Value *source;
    if (match(value, m_ZExtOrSExt(m_Value(source))) && source->getType()->isIntegerTy(32))
      return source;
    if (Value *known = narrow.lookup(value))
      return known;
    auto *instruction = dyn_cast<Instruction>(value);
    Value *result;
    if (instruction && wide.contains(instruction)) {
      auto *operation = cast<BinaryOperator>(instruction);
      Value *left = narrowed(operation->getOperand(0)), *right = narrowed(operation->getOperand(1));
      IRBuilder<> builder(operation);
      result = builder.CreateBinOp(operation->getOpcode(), left, right, operation->getName());
      if (auto *copy = dyn_cast<BinaryOperator>(result)) {
        if (auto *sum = dyn_cast<PossiblyDisjointInst>(copy))
          sum->setIsDisjoint(cast<PossiblyDisjointInst>(operation)->isDisjoint());
        else
          copy->setHasNoSignedWrap(
              all_of(operation->operands(), [&](Value *o) { return fits(o); }));
      }
    } else {
      IRBuilder<> builder(value->getContext());
      setBehind(builder, value);
      result = builder.CreateTrunc(value, builder.getInt32Ty());
    }
    return narrow[value] = result;
  }

  static void setBehind(IRBuilder<> &builder, Value *value) {
    if (auto *argument = dyn_cast<Argument>(value))
      return builder.SetInsertPoint(&*argument->getParent()->getEntryBlock().getFirstInsertionPt());
    builder.SetInsertPoint(*cast<Instruction>(value)->getInsertionPointAfterDef());
  }

  void replaceUser(Instruction &user) {
    IRBuilder<> builder(&user);
    if (extends(user)) {
      for (Use &use : user.operands())
        if (wide.contains(dyn_cast<Instruction>(use.get())))
          use.set(builder.CreateSExt(narrowed(use.get()), use->getType()));
      return;
    }
    Value *value = narrowed(user.getOperand(0));
    if (auto *compare = dyn_cast<ICmpInst>(&user))
      value = builder.CreateICmp(compare->getPredicate(), value, narrowed(compare->getOperand(1)));
    else if (isa<SIToFPInst, UIToFPInst>(user))
      value = builder.CreateSIToFP(value, user.getType());
    else
      value = builder.CreateTrunc(value, user.getType());
    user.replaceAllUsesWith(value);
  }

  const LoopInfo &loops;
  ScalarEvolution &evolution;
  SetVector<Instruction *> wide;
  DenseMap<Value *, Value *> narrow;
};

} // namespace

PreservedAnalyses NarrowCountersPass::run(Function &function, FunctionAnalysisManager &analyses) {
  Narrowing narrowing(analyses.getResult<LoopAnalysis>(function),
                      analyses.getResult<ScalarEvolutionAnalysis>(function));
  if (!narrowing.find())
    return PreservedAnalyses::all();
  narrowing.replace();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace spl::codegen
