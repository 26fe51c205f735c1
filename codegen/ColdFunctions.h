// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of kernels that launches seldom run (spl-mark-cold). LLVM compiles them quickly
// rather than optimising them. This is for targets whose assembler optimises, as ptxas does.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
class PassBuilder;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace spl::codegen {

class LlvmBackend;

/// The attribute of cold functions in LLVM.
inline constexpr llvm::StringLiteral coldFunctionAttr = "spl-cold";

bool isCold(const llvm::Function &function);

/// Whether all functions that the module defines are cold. True if it defines none.
bool hasOnlyColdFunctions(const llvm::Module &module);

/// Lets a pipeline skip its optional passes on cold functions, and on their loops.
void skipColdFunctions(llvm::PassInstrumentationCallbacks &callbacks);

/// Runs a few passes on the cold functions, after the pipeline, which has inlined what they call.
/// These passes also find the address spaces of pointers, which the code generator does not do at
/// -O0.
void optimizeColdFunctions(llvm::Module &module, llvm::PassBuilder &builder,
                           const LlvmBackend &backend);

/// Marks the cold functions as optnone. The code generator then compiles them as with -O0.
void markColdFunctions(llvm::Module &module);

} // namespace spl::codegen
