// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking a module with a library of bitcode.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Adds the functions of the library that the module calls to the module, as internal functions.
/// Fails if the two modules cannot be linked. The error contains the name of the library.
llvm::Error linkNeeded(llvm::Module &module, std::unique_ptr<llvm::Module> library,
                       llvm::StringRef name);

} // namespace spl::codegen
