// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies the compiler: a text that differs between builds of the compiler, and between builds
// of the LLVM and MLIR libraries that it runs with.
#pragma once

#include "llvm/Support/Error.h"
#include <string>

namespace spl::jit {

/// Fails if LLVM or MLIR has no build id, because its builds are then indistinguishable.
llvm::Expected<std::string> compilerId();

} // namespace spl::jit
