// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/LoopCounters.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "codegen/targets/nvptx/InsertedPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// A step of a value is at most so large. Addresses of memory have at most 57 bits, so an address
/// plus a step does not wrap.
constexpr unsigned stepBits = 60;
/// There is no memory below this address.
constexpr uint64_t lowestAddress = 4096;
/// Numbers of rounds below 2^32 are counted in 32 bits by ptxas.
constexpr unsigned narrowBits = 32;

/// The maximum cost of a last value, which is computed before the loop.
constexpr unsigned maxCost = 24;

class Counters {
public:
  Counters(Loop &loop, ScalarEvolution &evolution, const DominatorTree &dominators,
           const TargetTransformInfo &costs)
      : loop(loop), evolution(evolution), dominators(dominators), costs(costs) {}

  /// Returns false if the loop has no counter that can be removed.
  bool remove();

private:
  bool findCounter();
  bool isOnlyCounter() const;
  bool tryValue(PHINode &value);
  const SCEV *lastByRounds(const SCEVAddRecExpr &values);
  const SCEV *lastByDistance(const SCEVAddRecExpr &values);
  bool isAccessedInEachRound(PHINode &value);
  bool isOffset(const SCEVAddRecExpr &values);
  bool anyAccessInEachRound(function_ref<bool(Value &pointer)> matches);
  bool runsAllRounds() const;
  const SCEVAddRecExpr *linear(Value *value);

  Loop &loop;
  ScalarEvolution &evolution;
  const DominatorTree &dominators;
  const TargetTransformInfo &costs;
  BranchInst *branch = nullptr;
  ICmpInst *test = nullptr;
  PHINode *counter = nullptr;
  const SCEV *rounds = nullptr;                    ///< less one; of a test for equality
  APInt mostRounds;                                ///< the largest number that rounds may be
  const SCEV *distance = nullptr, *size = nullptr; ///< goes on while distance - k * size >= size
};

const SCEVAddRecExpr *Counters::linear(Value *value) {
  Type *type = value->getType();
  if (!evolution.isSCEVable(type) || evolution.getTypeSizeInBits(type) != 64)
    return nullptr;
  const auto *values = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
  return values && values->getLoop() == &loop && values->isAffine() ? values : nullptr;
}

/// Whether the counter is only used to compute its next value and in the test.
bool Counters::isOnlyCounter() const {
  const Value *next = counter->getIncomingValueForBlock(loop.getLoopLatch());
  auto isOwn = [&](const User *user) { return user == next || user == test || user == counter; };
  return isa<Instruction>(next) && next != counter && all_of(counter->users(), isOwn) &&
         all_of(next->users(), isOwn);
}

bool Counters::findCounter() {
  BasicBlock *latch = loop.getLoopLatch();
  branch =
      latch && loop.getLoopPreheader() ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !loop.isLoopExiting(latch))
    return false;
  test = dyn_cast<ICmpInst>(branch->getCondition());
  if (!test || !test->hasOneUse())
    return false;
  const bool goesOnIfTrue = branch->getSuccessor(0) == loop.getHeader();
  CmpInst::Predicate predicate = goesOnIfTrue ? test->getPredicate() : test->getInversePredicate();
  Value *tested = test->getOperand(0), *bound = test->getOperand(1);
  if (loop.isLoopInvariant(tested)) {
    std::swap(tested, bound);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const SCEVAddRecExpr *values = loop.isLoopInvariant(bound) ? linear(tested) : nullptr;
  if (!values || !tested->getType()->isIntegerTy())
    return false;
  for (PHINode &phi : loop.getHeader()->phis())
    if (&phi == tested || phi.getIncomingValueForBlock(latch) == tested)
      counter = &phi;
  if (!counter || !isOnlyCounter())
    return false;

  if (predicate == CmpInst::ICMP_NE) {
    rounds = evolution.getExitCount(&loop, latch);
    if (isa<SCEVCouldNotCompute>(rounds))
      return false;
    mostRounds = evolution.getUnsignedRangeMax(evolution.applyLoopGuards(rounds, &loop));
    return mostRounds.getActiveBits() > narrowBits;
  }
  if (predicate != CmpInst::ICMP_UGE && predicate != CmpInst::ICMP_UGT)
    return false;
  size = evolution.getSCEV(bound);
  if (predicate == CmpInst::ICMP_UGT) {
    if (!isa<SCEVConstant>(size) || evolution.getUnsignedRangeMax(size).isMaxValue())
      return false;
    size = evolution.getAddExpr(size, evolution.getOne(size->getType()));
  }
  distance = values->getStart();
  return values->getStepRecurrence(evolution) == evolution.getNegativeSCEV(size) &&
         evolution.getUnsignedRangeMax(size).getActiveBits() <= stepBits;
}

/// Whether an access to an address with this property runs in each round.
bool Counters::anyAccessInEachRound(function_ref<bool(Value &pointer)> matches) {
  for (BasicBlock *block : loop.blocks()) {
    if (!dominators.dominates(block, loop.getLoopLatch()))
      continue;
    for (Instruction &instruction : *block) {
      Value *pointer = getLoadStorePointerOperand(&instruction);
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        pointer = update->getPointerOperand();
      if (pointer && matches(*pointer))
        return true;
    }
  }
  return false;
}

/// Whether an access to the address, plus an offset that is not large, runs in each round.
bool Counters::isAccessedInEachRound(PHINode &value) {
  const SCEV *address = evolution.getSCEV(&value);
  return anyAccessInEachRound([&](Value &pointer) {
    if (pointer.getType() != value.getType())
      return false;
    const auto *offset =
        dyn_cast<SCEVConstant>(evolution.getMinusSCEV(evolution.getSCEV(&pointer), address));
    return offset && offset->getAPInt().abs().ule(lowestAddress);
  });
}

/// Whether the values begin with a small one, and an access to an address that grows by the same
/// amount runs in each round. The values grow as much as these addresses, so they do not wrap.
bool Counters::isOffset(const SCEVAddRecExpr &values) {
  if (evolution.getUnsignedRangeMax(values.getStart()).getActiveBits() > stepBits)
    return false;
  return anyAccessInEachRound([&](Value &pointer) {
    const SCEVAddRecExpr *addresses = linear(&pointer);
    return addresses && pointer.getType()->getPointerAddressSpace() <= largestWideSpace &&
           addresses->getStepRecurrence(evolution) == values.getStepRecurrence(evolution);
  });
}

/// Whether each round that begins ends at the latch.
bool Counters::runsAllRounds() const {
  return loop.getExitingBlock() && all_of(loop.blocks(), [](const BasicBlock *block) {
           return isGuaranteedToTransferExecutionToSuccessor(block);
         });
}

/// How far the next value is from the first one in the last round. It is not so far in an earlier
/// round, because the sum of all steps is less than 2^64.
const SCEV *Counters::lastByRounds(const SCEVAddRecExpr &values) {
  const auto *step = dyn_cast<SCEVConstant>(values.getStepRecurrence(evolution));
  if (!step)
    return nullptr;
  const APInt number = mostRounds.zextOrTrunc(64);
  bool overflows = step->getAPInt().isZero() || number.isMaxValue();
  if (!overflows)
    (void)step->getAPInt().abs().umul_ov(number + 1, overflows);
  if (overflows)
    return nullptr;
  const SCEV *count = evolution.getNoopOrZeroExtend(rounds, step->getType());
  return evolution.getMulExpr(evolution.getAddExpr(count, evolution.getOne(step->getType())), step);
}

/// How far the next value may be from the first one, so that there is a next round.
///
/// The values are p + k * c * size, where the counter is d - k * size. There is a round after round
/// k if (k + 1) * size <= d, and so if the next value is at most p + c * d. An access to the
/// address runs in each round, and all rounds run. So all values but the last next one are
/// addresses of memory, and it and p + c * d are at most a step larger, and do not wrap.
const SCEV *Counters::lastByDistance(const SCEVAddRecExpr &values) {
  const SCEV *step = values.getStepRecurrence(evolution);
  for (unsigned factor = 1; factor <= 64; factor *= 2) {
    const SCEV *by = evolution.getConstant(size->getType(), factor);
    if (evolution.getMulExpr(size, by) != step)
      continue;
    if (evolution.getUnsignedRangeMax(size).getActiveBits() + Log2_32(factor) > stepBits)
      return nullptr;
    return evolution.getMulExpr(distance, by);
  }
  return nullptr;
}

/// Tests this value in place of the counter, if possible.
bool Counters::tryValue(PHINode &value) {
  const auto *pointer = dyn_cast<PointerType>(value.getType());
  if (&value == counter || (pointer && pointer->getAddressSpace() > largestWideSpace))
    return false;
  auto *next = dyn_cast<Instruction>(value.getIncomingValueForBlock(loop.getLoopLatch()));
  const SCEVAddRecExpr *values = next ? linear(&value) : nullptr;
  if (!values)
    return false;
  const bool isAccessed = pointer ? isAccessedInEachRound(value) : isOffset(*values);
  // Nothing bounds other integers. An address may be compared for equality.
  if (!isAccessed && (distance || !pointer))
    return false;
  if (distance && !runsAllRounds())
    return false;
  const SCEV *last = rounds ? lastByRounds(*values) : lastByDistance(*values);
  if (!last)
    return false;
  // An address that is accessed is not poison. An offset may be part of another value.
  Value *start = value.getIncomingValueForBlock(loop.getLoopPreheader());
  const bool isDefined = (pointer && isAccessed) || isGuaranteedNotToBeUndefOrPoison(start);
  if (isDefined)
    last = evolution.getAddExpr(values->getStart(), last);
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  SCEVExpander expander(evolution, "last");
  if (!expander.isSafeToExpandAt(last, before) ||
      expander.isHighCostExpansion(last, &loop, maxCost, &costs, before))
    return false;

  Value *expanded =
      expander.expandCodeFor(last, isDefined ? value.getType() : last->getType(), before);
  if (!isDefined) {
    IRBuilder<> builder(before);
    start = builder.CreateFreeze(start);
    value.setIncomingValueForBlock(loop.getLoopPreheader(), start);
    expanded = pointer ? builder.CreatePtrAdd(start, expanded) : builder.CreateAdd(start, expanded);
  }
  next->dropPoisonGeneratingFlags();
  IRBuilder<> builder(branch);
  const CmpInst::Predicate goesOn = rounds ? CmpInst::ICMP_NE : CmpInst::ICMP_ULE;
  const bool goesOnIfTrue = branch->getSuccessor(0) == loop.getHeader();
  branch->setCondition(builder.CreateICmp(
      goesOnIfTrue ? goesOn : CmpInst::getInversePredicate(goesOn), next, expanded));
  evolution.forgetLoop(&loop);
  test->eraseFromParent();
  RecursivelyDeleteDeadPHINode(counter);
  return true;
}

bool Counters::remove() {
  if (!findCounter())
    return false;
  for (PHINode &value : loop.getHeader()->phis())
    if (tryValue(value))
      return true;
  return false;
}

struct RemoveCounters : FunctionPass {
  static char ID;
  RemoveCounters() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Remove counters of loops"; }

  bool runOnFunction(Function &function) override {
    auto &evolution = getAnalysis<ScalarEvolutionWrapperPass>().getSE();
    const auto &dominators = getAnalysis<DominatorTreeWrapperPass>().getDomTree();
    const auto &costs = getAnalysis<TargetTransformInfoWrapperPass>().getTTI(function);
    bool changed = false;
    for (Loop *loop : getAnalysis<LoopInfoWrapperPass>().getLoopInfo().getLoopsInPreorder())
      changed |= Counters(*loop, evolution, dominators, costs).remove();
    return changed;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<ScalarEvolutionWrapperPass>();
    usage.addRequired<DominatorTreeWrapperPass>();
    usage.addRequired<LoopInfoWrapperPass>();
    usage.addRequired<TargetTransformInfoWrapperPass>();
    usage.setPreservesCFG();
  }
};

char RemoveCounters::ID = 0;

} // namespace

void removeLoopCounters() { insertPassAfter<RemoveCounters, createLoopStrengthReducePass>(); }

} // namespace spl::codegen
