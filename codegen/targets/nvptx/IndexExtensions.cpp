// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/IndexExtensions.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "codegen/targets/nvptx/InsertedPass.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// Whether the instruction extends an i32 to 64 bits.
bool isExtension(const Instruction &instruction) {
  return isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
         instruction.getOperand(0)->getType()->isIntegerTy(32);
}

bool isAddress(const User *user) {
  auto *address = dyn_cast<GetElementPtrInst>(user);
  return address && address->getAddressSpace() <= largestWideSpace;
}

/// Whether the user is an address, or the distance of one from another address in bytes.
bool computesAddress(const User *user) {
  return isAddress(user) || (match(user, m_CombineOr(m_Shl(m_Value(), m_ConstantInt()),
                                                     m_Mul(m_Value(), m_ConstantInt()))) &&
                             all_of(user->users(), isAddress));
}

/// Copies the extension to its users that compute an address or a distance in another block.
/// Returns whether there was one. An extension in front of a loop is not copied into the loop.
bool copyToAddresses(Instruction &extension, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(extension.getParent());
  // A number that is not negative may be extended with its sign. For mul.wide.u32, ptxas sometimes
  // emits two instructions instead of one.
  const bool isSigned = isa<SExtInst>(extension) || extension.hasNonNeg();
  bool changed = false;
  for (Use &use : make_early_inc_range(extension.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (!computesAddress(user) || user->getParent() == extension.getParent())
      continue;
    const Loop *own = loops.getLoopFor(user->getParent());
    if (own && !own->contains(loop))
      continue;
    IRBuilder<> builder(user);
    Value *index = extension.getOperand(0);
    use.set(isSigned ? builder.CreateSExt(index, extension.getType())
                     : builder.CreateZExt(index, extension.getType()));
    changed = true;
  }
  if (changed && extension.use_empty())
    extension.eraseFromParent();
  return changed;
}

struct ExtendIndices : FunctionPass {
  static char ID;
  ExtendIndices() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Extend indices at addresses"; }

  bool runOnFunction(Function &function) override {
    if (skipFunction(function)) // the code generator then selects no such instruction
      return false;
    const LoopInfo &loops = getAnalysis<LoopInfoWrapperPass>().getLoopInfo();
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isExtension(instruction))
        changed |= copyToAddresses(instruction, loops);
    return changed;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<LoopInfoWrapperPass>();
    usage.setPreservesCFG();
  }
};

char ExtendIndices::ID = 0;

} // namespace

void extendIndicesAtAddresses() {
  insertPassAfter<ExtendIndices, createCodeGenPrepareLegacyPass>();
}

} // namespace spl::codegen
