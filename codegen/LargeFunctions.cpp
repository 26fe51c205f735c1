// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LargeFunctions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;

namespace spl::codegen {
namespace {

// Kernels written by hand are far smaller. At these sizes the passes take seconds.
constexpr size_t maxInstructions = 20000, maxBlocks = 2000;
// The code generator expands each copy of memory into a loop of several blocks.
constexpr size_t maxCopies = maxBlocks / 4;
// Each check is an exit of the loops around it. LLVM computes the trip count of a loop from all its
// exits, in time that grows with the cube of their number.
constexpr size_t maxExits = 100;
// Each enclosing loop doubles the time to compute a trip count, if values of one loop depend on
// values of another.
constexpr unsigned maxLoopDepth = 12;

/// Whether the time of the pass is linear in the size of the function.
bool isLinear(StringRef pass) {
  return StringSwitch<bool>(pass)
      .Cases({"SROAPass", "EarlyCSEPass", "SimplifyCFGPass", "InstSimplifyPass", "ADCEPass"}, true)
      .Default(false);
}

/// Whether the pass computes trip counts.
bool usesTripCounts(StringRef pass) {
  return pass.starts_with("Loop") || pass == "IndVarSimplifyPass" || pass == "IRCEPass";
}

const Function *functionOf(const Any &code) {
  if (const auto *function = any_cast<const Function *>(&code))
    return *function;
  if (const auto *loop = any_cast<const Loop *>(&code))
    return (*loop)->getHeader()->getParent();
  return nullptr; // the time of passes on modules and call graphs does not depend on one function
}

bool isLarge(const Function &function) {
  size_t blocks = 0, instructions = 0;
  for (const BasicBlock &block : function) {
    instructions += block.size();
    if (++blocks > maxBlocks || instructions > maxInstructions)
      return true;
  }
  return false;
}

/// Whether the trip counts of loops take too long to compute.
bool hasLargeLoops(const Function &function) {
  // A loop has a header, in which two edges meet, and an exit is one of two edges. Most functions
  // have so few of them that their loops need not be found.
  const auto meets = [](const BasicBlock &block) { return block.hasNPredecessorsOrMore(2); };
  const auto parts = [](const BasicBlock &block) { return succ_size(&block) > 1; };
  if (count_if(function, meets) <= maxLoopDepth && size_t(count_if(function, parts)) <= maxExits)
    return false;
  // DominatorTree takes a function that is not const, but does not change it.
  const LoopInfo loops(DominatorTree(const_cast<Function &>(function)));
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) {
    SmallVector<BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    return exiting.size() > maxExits || loop->getLoopDepth() > maxLoopDepth;
  });
}

} // namespace

static bool isLargeToGenerate(const Function &function, size_t maxBlock) {
  size_t copies = 0;
  for (const BasicBlock &block : function) {
    if (block.size() > maxBlock)
      return true;
    copies += count_if(block, [](const Instruction &op) { return isa<MemTransferInst>(op); });
  }
  return copies > maxCopies || isLarge(function);
}

void markLargeFunctions(Module &module, size_t maxBlock) {
  for (Function &function : module)
    if (isLargeToGenerate(function, maxBlock)) {
      function.removeFnAttr(Attribute::AlwaysInline);
      function.addFnAttr(Attribute::NoInline); // which optnone requires
      function.addFnAttr(Attribute::OptimizeNone);
    }
}

bool LargeFunctions::isTooLarge(StringRef pass, const Function &function) {
  if (measured != &function) {
    wasLarge = isLarge(function);
    hadLargeLoops.reset();
  }
  measured = &function;
  if (wasLarge)
    return !isLinear(pass);
  if (!usesTripCounts(pass))
    return false;
  if (!hadLargeLoops) // computed only for these passes, because it takes as long as a small pass
    hadLargeLoops = hasLargeLoops(function);
  return *hadLargeLoops;
}

void LargeFunctions::registerCallbacks(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback([this](StringRef pass, const Any &code) {
    const Function *function = functionOf(code);
    return !function || function->isDeclaration() || !isTooLarge(pass, *function);
  });
  const auto forget = [this](const PreservedAnalyses &preserved) {
    if (!preserved.areAllPreserved())
      measured = nullptr;
  };
  callbacks.registerAfterPassCallback(
      [=](StringRef, const Any &, const PreservedAnalyses &preserved) { forget(preserved); });
  callbacks.registerAfterPassInvalidatedCallback(
      [=](StringRef, const PreservedAnalyses &preserved) { forget(preserved); });
}

} // namespace spl::codegen
