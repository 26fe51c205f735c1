// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests full unrolling of short loops. LLVM's own limits are for CPUs, where the code of a loop
// is cheap to repeat and expensive to fetch. What depends on the number of the iteration becomes a
// constant, and loads of one iteration run before the barrier or the result of the one before.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace spl::codegen {

/// Adds the passes: one in front of LLVM's pass that unrolls loops, and at the end one that unrolls
/// loops of which only the maximum number of rounds is known.
void unrollShortLoops(llvm::PassBuilder &builder);

} // namespace spl::codegen
