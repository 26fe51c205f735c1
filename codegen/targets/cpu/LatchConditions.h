// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An LLVM pass that widens the tests at the latches of loops, which decide whether there is another
// iteration.
//
// LLVM widens the counter of a loop over i32 to 64 bits, because addresses have 64 bits. Its test
// at the latch stays in 32 bits: trunc(next) == end. Loop strength reduction finds no relation
// between the two widths. It therefore replaces the counter by one that starts at 0. Before the
// loop it computes the end, the first address and the number of iterations until a check fails, all
// relative to the start. If the loop has few iterations, these computations take longer than its
// checks.
#pragma once

#include "llvm/IR/PassManager.h"

namespace spl::codegen {

/// Replaces tests trunc(next) == end by next == sext(end), where both leave the loop after the same
/// iteration. Runs after LLVM's optimisations, because IRCE would make several versions of a loop
/// with the wider test. Changes no other instruction.
class WidenLatchConditions : public llvm::PassInfoMixin<WidenLatchConditions> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace spl::codegen
