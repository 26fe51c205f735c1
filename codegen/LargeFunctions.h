// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the time that LLVM's passes take for very large functions. The time of many passes grows
// with the square of the number of loops, of blocks, or of instructions in a block, with the cube
// of the number of exits of a loop, or exponentially with the nesting of loops. Such passes do not
// run on functions above a certain size. The code is then correct, but less optimised.
#pragma once

#include <cstddef>
#include <optional>

namespace llvm {
class Function;
class Module;
class PassInstrumentationCallbacks;
class StringRef;
} // namespace llvm

namespace spl::codegen {

/// Marks each large function, and each function with a block of more than \p maxBlock instructions,
/// as optnone. The code generator then compiles it as with -O0. Otherwise its passes would be too
/// slow: loop strength reduction, for example, looks for each loop at all loops around and before
/// it, and recurses.
void markLargeFunctions(llvm::Module &module, size_t maxBlock);

/// Skips slow passes for large functions during one run of the optimiser. It must outlive that run.
class LargeFunctions {
public:
  void registerCallbacks(llvm::PassInstrumentationCallbacks &callbacks);

private:
  bool isTooLarge(llvm::StringRef pass, const llvm::Function &function);

  const llvm::Function *measured = nullptr; ///< the function that was measured last, or null
  bool wasLarge = false;
  std::optional<bool> hadLargeLoops; ///< if it was computed
};

} // namespace spl::codegen
