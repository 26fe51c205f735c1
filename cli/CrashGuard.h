// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crashes of the compiler in a command. The process's signal handlers are LLVM's while a step runs,
// so only programs use this and never the libraries.
#pragma once

#include "driver/Compilation.h"
#include <functional>

namespace spl::cli {

/// Runs \p step, which compiles, and returns what it returns. Where it crashes (a signal, or LLVM
/// gives up), the compilation gets the diagnostic codegen-failed and the result is false. What the
/// step held is not released then: the command must end. What the step throws is passed on.
bool withoutCrash(driver::Compilation &compilation, const std::function<bool()> &step);

} // namespace spl::cli
