// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass for quotients of a small integer and a constant, as the channel of an image and 255.
// A division of f32 takes at least eight instructions and a branch on a GPU. These quotients are a
// product and an fma, with the same bits.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

struct SmallQuotientsPass : llvm::PassInfoMixin<SmallQuotientsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
