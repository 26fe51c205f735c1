// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites of code that LLVM 22 compiles wrongly for the host. Each rewrite names the error in LLVM
// and has a test with the kernel that showed it (test/e2e/Miscompiled*). A rewrite whose test
// passes without it is removed.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// Before LLVM's optimisations.
void workAroundOptimizer(llvm::Module &module);
/// Before the loop vectoriser, on simplified loops.
class WorkAroundVectorizer : public llvm::PassInfoMixin<WorkAroundVectorizer> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};
/// After the optimisations, before the x86 back end.
void workAroundBackend(llvm::Module &module);

} // namespace spl::codegen
