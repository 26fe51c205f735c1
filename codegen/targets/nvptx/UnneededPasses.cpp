// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/UnneededPasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace spl::codegen {

static bool isNarrow(const Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  return bits > 1 && bits <= 16;
}

static bool hasNarrowValues(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    const auto *store = dyn_cast<StoreInst>(&instruction);
    return isNarrow(store ? store->getValueOperand()->getType() : instruction.getType());
  });
}

/// Whether the pass vectorises, or may clean up after the vectorisers.
static bool isOfVectors(StringRef pass) {
  return pass == "LoopVectorizePass" || pass == "SLPVectorizerPass" || pass == "InstCombinePass";
}

void skipUnneededNvptxPasses(PassInstrumentationCallbacks &callbacks) {
  // isScalar is true from the first vectoriser to the pass after the last one, if the function has
  // nothing for them.
  callbacks.registerShouldRunOptionalPassCallback(
      [isScalar = false](StringRef pass, const Any &code) mutable {
        if (pass == "LoopVectorizePass")
          isScalar = !hasNarrowValues(**any_cast<const Function *>(&code));
        else if (pass == "LoopUnrollPass")
          isScalar = false;
        return !isScalar || !isOfVectors(pass);
      });
}

} // namespace spl::codegen
