// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sine and the cosine of one number, by one function. It reduces the number once.
#pragma once

namespace llvm {
class Module;
}

namespace spl::codegen {

/// Replaces calls of the project's own sine and cosine of the same value in a block by calls of the
/// function that stores both. Runs before linkOwnMath.
void joinSinesAndCosines(llvm::Module &module);

} // namespace spl::codegen
