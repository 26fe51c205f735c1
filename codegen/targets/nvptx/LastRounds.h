// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets LLVM run the last round of a loop behind it, where only that round is limited by a minimum,
// as math.min(z + 1, n - 1) for z in 0..n is. In the other rounds the minimum is z + 1, whose
// address grows in each round and needs no product.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace spl::codegen {

/// Adds the pass in front of LLVM's pass that peels loops.
void separateLastRounds(llvm::PassBuilder &builder);

} // namespace spl::codegen
