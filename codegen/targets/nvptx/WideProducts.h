// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass for functions that compute both a 64-bit product and the 32-bit product of the same
// operands, as random number generators and hash functions do. It replaces the 32-bit product by
// the low half of the 64-bit one, which a GPU computes in one instruction, mul.wide.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

struct WideProductsPass : llvm::PassInfoMixin<WideProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
