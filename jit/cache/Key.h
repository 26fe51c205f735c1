// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a compilation follows from, but for the files that its 'use' lines read, as
// bytes: the source with its name and place, every option, what the target says that its code
// depends on, the compiler's build. Two compilations with the same key and the same used files give
// the same code.
#pragma once

#include "driver/Compilation.h"

namespace spl::jit {

/// The key of what the compilation, whose source has been read, writes as that output. Fails where
/// this compiler's build cannot be told from another.
llvm::Expected<std::string> keyOf(const driver::Compilation &compilation, llvm::StringRef output);

} // namespace spl::jit
