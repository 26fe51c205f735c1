// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that LLVM optimises with few passes, so that they take less time to compile. Their code
// is correct, but less optimised. They are:
//
// - very large functions. The time of many passes grows with the square of the number of loops, of
//   blocks, or of instructions in a block, with the cube of the number of exits of a loop, or
//   exponentially with the nesting of loops. Such passes do not run on functions above a certain
//   size.
// - short functions: the versions of kernels that launches seldom run (spl-shorten-seldom-run).
//   They have a pipeline of their own. What assembles the code optimises it again, as ptxas does.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <cstddef>
#include <optional>

namespace llvm {
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

/// The attribute of short functions.
inline constexpr llvm::StringLiteral shortFunctionAttr = "spl-short";

bool isShort(const llvm::Function &function);

/// The passes for short functions. They find the address spaces of pointers, too, which the code
/// generator does not do at -O0.
llvm::FunctionPassManager passesOfShort();

/// Marks short and large functions, and those with a block of more than \p maxBlock instructions,
/// as optnone. The code generator then compiles them as with -O0. Its other passes would be too
/// slow for large ones: loop strength reduction, for example, looks for each loop at all loops
/// around and before it, and recurses.
void limitCodeGenerator(llvm::Module &module, size_t maxBlock);

/// Skips passes during one run of the optimiser: slow ones for large functions, and all optional
/// ones for short functions. It must outlive that run.
class FewPasses {
public:
  void registerCallbacks(llvm::PassInstrumentationCallbacks &callbacks);

private:
  bool skips(llvm::StringRef pass, const llvm::Function &function);

  const llvm::Function *measured = nullptr; ///< the function that was measured last, or null
  bool wasLarge = false;
  std::optional<bool> hadLargeLoops; ///< if it was computed
};

} // namespace spl::codegen
