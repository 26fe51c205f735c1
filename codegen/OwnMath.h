// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's own math functions (intrinsics/math/), which return the same bits on every target
// that has an instruction for fma. Both targets link their bitcode, which is part of the compiler.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace spl::codegen {

/// The names in C of the functions.
llvm::ArrayRef<llvm::StringLiteral> ownMathFunctions();
bool isOwnMath(llvm::StringRef name);

/// The symbol of the function with this C name. \p lanes is 1, or the lanes of a vector of 128, 256
/// or 512 bits.
std::string ownMathSymbol(llvm::StringRef name, bool isDouble, unsigned lanes);

/// Copies the functions that the module calls into the module, as internal functions. They are
/// always inlined, except for what they call in rare cases. --fast-math does not apply to them.
llvm::Error linkOwnMath(llvm::Module &module);

/// Whether the function is one that linkOwnMath added.
bool isLinkedOwnMath(const llvm::Function &function);

} // namespace spl::codegen
