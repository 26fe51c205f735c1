// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests unrolling of loops whose number of iterations is known only at run time, and whose body
// is longer than LLVM's limit. Rounds then share counters, addresses and constants that ptxas puts
// into registers in each round, and the loads of one round do not wait for the results of the one
// before.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace spl::codegen {

/// Adds the pass in front of LLVM's pass that unrolls such loops.
void unrollLongRounds(llvm::PassBuilder &builder);

} // namespace spl::codegen
