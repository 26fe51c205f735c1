// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds what LLVM's passes do to a function that is very large: many take time that grows with the
// square of its loops, its blocks or the length of one, with the cube of a loop's exits, or doubles
// with each loop in another. Beyond a size only those run that do not, and the code is correct but
// less optimised.
#pragma once

#include <cstddef>

namespace llvm {
class Function;
class Module;
class PassInstrumentationCallbacks;
class StringRef;
} // namespace llvm

namespace spl::codegen {

/// Has the code generators do for each large function what -O0 does, and for the others what they
/// do else: strength reduction looks at all loops around and before each, and recurses along them.
/// So does it for functions with a block of more than \p maxBlock instructions.
void markLargeFunctions(llvm::Module &module, size_t maxBlock);

/// For one run of the optimiser, which it must outlive.
class LargeFunctions {
public:
  void registerCallbacks(llvm::PassInstrumentationCallbacks &callbacks);

private:
  bool isTooLarge(llvm::StringRef pass, const llvm::Function &function);

  const llvm::Function *measured = nullptr; ///< the function that the results are of; null for none
  bool wasLarge = false, hadLargeLoops = false;
};

} // namespace spl::codegen
