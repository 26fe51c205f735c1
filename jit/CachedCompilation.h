// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling by way of the cache: the code of an earlier compilation that was the same, or a new one
// that is then stored. Without a cache that can be used it only compiles.
#pragma once

#include "driver/Compilation.h"
#include <functional>

namespace spl::jit {

struct CacheUse {
  bool isOn = true; ///< unless the environment turns it off (Cache::Settings)
  /// Hears why nothing can be cached, once in the process for each reason.
  std::function<void(const std::string &)> onWarning = {};
};

/// The target's output of that name of the compilation, whose source has been read. Nothing after
/// an error, which is in its diagnostics. A compilation that says anything beside its code
/// (warnings, timings, MIR) is neither stored nor looked up, so that it says it each time.
std::optional<driver::Compiled> compile(driver::Compilation &compilation, llvm::StringRef output,
                                        const CacheUse &use);

} // namespace spl::jit
