// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites PTX that ptxas 13.0, and the compiler of the driver, miscompile. The comment on each
// rewrite names the error of ptxas. Each rewrite has a test that fails without it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace spl::codegen {

/// Returns the text with the rewrites, in the order of its lines.
std::string workAroundPtxas(llvm::StringRef ptx);

} // namespace spl::codegen
