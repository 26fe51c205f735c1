// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Sincos.h"
#include "codegen/OwnMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace spl::codegen {
namespace {

/// Calls the function that stores both results at the first of the two calls, and replaces them.
void join(CallInst *sine, CallInst *cosine, StringRef name) {
  Type *type = sine->getType();
  IRBuilder<> builder(&*sine->getFunction()->getEntryBlock().getFirstInsertionPt());
  FunctionCallee both = sine->getModule()->getOrInsertFunction(
      name, builder.getVoidTy(), type, builder.getPtrTy(), builder.getPtrTy());
  Value *results[] = {builder.CreateAlloca(type), builder.CreateAlloca(type)};
  builder.SetInsertPoint(sine->comesBefore(cosine) ? sine : cosine);
  builder.CreateCall(both, {sine->getArgOperand(0), results[0], results[1]});
  sine->replaceAllUsesWith(builder.CreateLoad(type, results[0]));
  cosine->replaceAllUsesWith(builder.CreateLoad(type, results[1]));
  sine->eraseFromParent();
  cosine->eraseFromParent();
}

CallInst *callBeside(CallInst *call, Function *function) {
  for (User *user : call->getArgOperand(0)->users())
    if (auto *other = dyn_cast<CallInst>(user))
      if (other->getCalledFunction() == function && other->getParent() == call->getParent())
        return other;
  return nullptr;
}

} // namespace

void joinSinesAndCosines(Module &module) {
  for (bool isDouble : {false, true}) {
    Function *sine = module.getFunction(ownMathSymbol("sin", isDouble, 1));
    Function *cosine = module.getFunction(ownMathSymbol("cos", isDouble, 1));
    if (!sine || !cosine)
      continue;
    for (User *user : make_early_inc_range(sine->users()))
      if (auto *call = dyn_cast<CallInst>(user); call && !isa<Constant>(call->getArgOperand(0)))
        if (CallInst *other = callBeside(call, cosine))
          join(call, other, ownMathSymbol("sincos", isDouble, 1));
    for (Function *function : {sine, cosine})
      if (function->use_empty())
        function->eraseFromParent();
  }
}

} // namespace spl::codegen
