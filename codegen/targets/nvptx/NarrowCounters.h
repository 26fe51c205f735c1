// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass that computes what loops count in 32 bits where it fits. The language counts in i64,
// and a GPU adds and compares 64 bits in two instructions.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

struct NarrowCountersPass : llvm::PassInfoMixin<NarrowCountersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
