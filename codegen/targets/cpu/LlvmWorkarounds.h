// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites code that LLVM 22 miscompiles for the host. The comment on each rewrite names the error
// of LLVM. Each rewrite has a test with the kernel that showed the error (test/e2e/Miscompiled*).
// Remove a rewrite when its test passes without it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// Runs before LLVM's optimisations.
void workAroundOptimizer(llvm::Module &module);
/// Runs before the loop vectoriser, on simplified loops.
class WorkAroundVectorizer : public llvm::PassInfoMixin<WorkAroundVectorizer> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};
/// Runs after the optimisations and before the x86 back end.
void workAroundBackend(llvm::Module &module);

} // namespace spl::codegen
