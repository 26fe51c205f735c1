// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links a module with a library of bitcode.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Copies the functions that the module calls from the library into the module, as internal
/// functions. Fails if the two cannot be linked. The error contains the name of the library.
llvm::Error linkNeeded(llvm::Module &module, std::unique_ptr<llvm::Module> library,
                       llvm::StringRef name);

} // namespace spl::codegen
