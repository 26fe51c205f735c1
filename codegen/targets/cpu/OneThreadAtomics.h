// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics in the scope of a group. One thread runs all work-items of a group, so they need no
// instructions that are atomic for other threads.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Replaces read-modify-writes in the scope of one thread by reads and writes. LLVM would generate
/// instructions with a lock prefix for them. Runs before LLVM's optimisations.
void lowerAtomicsOfOneThread(llvm::Module &module);

} // namespace spl::codegen
