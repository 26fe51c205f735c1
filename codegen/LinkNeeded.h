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

/// Adds to the module what it calls of the library, as internal functions. Fails, naming the
/// library, where the two do not fit together.
llvm::Error linkNeeded(llvm::Module &module, std::unique_ptr<llvm::Module> library,
                       llvm::StringRef name);

} // namespace spl::codegen
