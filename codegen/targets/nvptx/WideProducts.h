// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass: where a function has both a 64-bit product and the 32-bit product of the same
// operands, the 32-bit product is the low half of the 64-bit one. A GPU multiplies two 32-bit
// integers to 64 bits in one instruction, mul.wide. Random number generators and hash functions
// use both halves of such products.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

struct WideProductsPass : llvm::PassInfoMixin<WideProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
