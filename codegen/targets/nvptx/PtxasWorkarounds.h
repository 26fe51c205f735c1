// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites PTX that ptxas 13.0 and the compiler in the driver miscompile. CONTRIBUTING.md lists the
// rewrites, with the test that fails without each.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace spl::codegen {

/// Returns the text with other instructions in place of those that ptxas miscompiles. All other
/// lines stay as they are. There are no errors: the text is that of LLVM.
std::string workAroundPtxas(llvm::StringRef ptx);

} // namespace spl::codegen
