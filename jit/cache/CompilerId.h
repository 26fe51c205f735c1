// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which compiler this is: a text that is another for every build of it, and of the LLVM and MLIR
// libraries that it runs with.
#pragma once

#include "llvm/Support/Error.h"
#include <string>

namespace spl::jit {

/// Fails where a library carries no build id, so that one build cannot be told from another.
llvm::Expected<std::string> compilerId();

} // namespace spl::jit
