// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM widens the counter of a loop over i32 to 64 bits, because addresses have 64 bits. Its test
// at the latch stays in 32 bits: trunc(next) == end. Loop strength reduction finds no relation
// between the two widths. It therefore replaces the counter by one that starts at 0, and computes
// the end, the first address and the number of rounds until a check fails relative to the start. If
// the loop has few rounds, these computations take longer than its checks.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// Replaces tests trunc(next) == end by next == sext(end), where both leave the loop after the same
/// round. Runs after LLVM's optimisations: IRCE would make several versions of a loop with the
/// wider test. Changes no other instruction.
class WidenLatchTests : public llvm::PassInfoMixin<WidenLatchTests> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
