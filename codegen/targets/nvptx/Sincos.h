// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sine and the cosine of one number, by one function of libdevice. It reduces the number once.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Replaces calls of libdevice's sine and cosine of the same value in a block by calls of its
/// function that returns both. Runs before libdevice is linked.
void joinSinesAndCosines(llvm::Module &module);

} // namespace spl::codegen
