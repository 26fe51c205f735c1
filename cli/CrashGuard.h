// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recovery from crashes of the compiler in a command. While a step runs, the process has LLVM's
// signal handlers. Therefore only programs use this, not libraries.
#pragma once

#include "driver/Compilation.h"
#include <functional>

namespace spl::cli {

/// Runs \p step, which compiles, and returns its result. If the step crashes (by a signal or a
/// fatal error of LLVM), reports codegen-failed to the compilation and returns false. The resources
/// of the step are then not released, so the command must end. Exceptions of the step are rethrown.
/// If there is too little memory, reports out-of-memory and ends the process: LLVM and MLIR cannot
/// return from a failed allocation.
bool withoutCrash(driver::Compilation &compilation, const std::function<bool()> &step);

/// While it exists, a crash in code that a launch compiles is an error of that launch, as
/// codegen/Parallel.h says. Other crashes end the process as before.
class LaunchGuard {
public:
  LaunchGuard();
  ~LaunchGuard();
  LaunchGuard(const LaunchGuard &) = delete;
  LaunchGuard &operator=(const LaunchGuard &) = delete;
};

} // namespace spl::cli
