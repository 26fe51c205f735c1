// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/GatherIndices.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// The operand with the addresses, or null if the instruction is no masked gather or scatter.
Use *addressesOf(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  switch (call->getIntrinsicID()) {
  case Intrinsic::masked_gather:
    return &call->getArgOperandUse(0);
  case Intrinsic::masked_scatter:
    return &call->getArgOperandUse(1);
  default:
    return nullptr;
  }
}

/// Whether the only uses are in other blocks that store the value, as the report of a fault does.
bool isOnlyReported(const Instruction &extension) {
  return all_of(extension.users(), [&](const User *user) {
    return isa<StoreInst>(user) && cast<Instruction>(user)->getParent() != extension.getParent();
  });
}

void moveToUsers(Instruction &extension) {
  for (Use &use : make_early_inc_range(extension.uses())) {
    Instruction *copy = extension.clone();
    copy->insertBefore(cast<Instruction>(use.getUser())->getIterator());
    use.set(copy);
  }
  extension.eraseFromParent();
}

void narrowIndex(Use &addresses) {
  auto *access = cast<Instruction>(addresses.getUser());
  auto *address = dyn_cast<GetElementPtrInst>(addresses);
  if (!address)
    return;
  auto isExtended = [&](Value *index) {
    auto *extension = dyn_cast<SExtInst>(index);
    return extension && extension->getParent() != access->getParent();
  };
  if (none_of(address->indices(), isExtended))
    return;
  SmallSetVector<Instruction *, 2> extensions;
  Instruction *copy = address->clone();
  copy->insertBefore(access->getIterator());
  for (Use &index : cast<GetElementPtrInst>(copy)->indices())
    if (isExtended(index)) {
      extensions.insert(cast<Instruction>(index));
      Instruction *extension = cast<Instruction>(index)->clone();
      extension->insertBefore(copy->getIterator());
      index.set(extension);
    }
  addresses.set(copy);
  if (address->use_empty())
    address->eraseFromParent();
  for (Instruction *extension : extensions)
    if (isOnlyReported(*extension))
      moveToUsers(*extension);
}

} // namespace

void narrowGatherIndices(Module &module) {
  for (Function &function : module) {
    SmallVector<Use *> accesses;
    for (Instruction &instruction : instructions(function))
      if (Use *addresses = addressesOf(instruction))
        accesses.push_back(addresses);
    for (Use *addresses : accesses)
      narrowIndex(*addresses);
  }
}

} // namespace spl::codegen
