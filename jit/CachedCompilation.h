// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation with the cache: returns the stored code of an equal earlier compilation, or compiles
// and stores the code. If the cache cannot be used, it only compiles.
#pragma once

#include "driver/Compilation.h"
#include <functional>

namespace spl::jit {

struct CacheUse {
  bool isOn = true; ///< the environment can turn the cache off as well (Cache::Settings)
  /// Called with the reason why nothing can be cached, once per process for each reason.
  std::function<void(const std::string &)> onWarning = {};
};

/// Compiles a source that has been read, and returns that output of the target, which has the use
/// Loaded. After an error it returns std::nullopt, and the diagnostics of the compilation hold the
/// error. A compilation that prints statistics, timings or MIR is not looked up, and one with
/// warnings is not stored. Therefore each run prints them again.
std::optional<driver::Compiled> compile(driver::Compilation &compilation,
                                        const codegen::Output &output, const CacheUse &use);

} // namespace spl::jit
