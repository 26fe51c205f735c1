// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key of a compilation in the cache. It contains everything that determines the code, except
// the files that the 'use' lines read (Record.h):
// - the source, with its name and its path
// - every option
// - what the target's code depends on (Target::cacheKey)
// - the build of the compiler
//
// Two compilations with the same key and the same used files produce the same code.
#pragma once

#include "driver/Compilation.h"

namespace spl::jit {

/// The key of one output of a compilation, whose source has been read. Fails if the build of the
/// compiler cannot be identified (compilerId).
llvm::Expected<std::string> keyOf(const driver::Compilation &compilation, llvm::StringRef output);

} // namespace spl::jit
