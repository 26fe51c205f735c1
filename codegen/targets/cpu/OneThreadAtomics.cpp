// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/OneThreadAtomics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace spl::codegen {

void lowerAtomicsOfOneThread(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *update = dyn_cast<AtomicRMWInst>(&instruction);
      auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction);
      if (update && update->getSyncScopeID() == SyncScope::SingleThread)
        lowerAtomicRMWInst(update);
      else if (swap && swap->getSyncScopeID() == SyncScope::SingleThread)
        lowerAtomicCmpXchgInst(swap);
    }
}

} // namespace spl::codegen
