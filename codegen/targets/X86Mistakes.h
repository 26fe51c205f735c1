// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM 22 gets wrong for the host, written another way before it sees it. Each rewrite names
// the mistake and has a test with the kernel that showed it (test/e2e/Miscompiled*); one whose test
// passes without it goes.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// Before LLVM's optimisations: what they make something else of.
void avoidOptimizerMistakes(llvm::Module &module);
/// Before loops become loops over vectors: what the vectoriser makes something else of. Loops are
/// simplified before.
class AvoidVectorizerMistakes : public llvm::PassInfoMixin<AvoidVectorizerMistakes> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};
/// After them: what the x86 backend makes wrong instructions of.
void avoidBackendMistakes(llvm::Module &module);

} // namespace spl::codegen
