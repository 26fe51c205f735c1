// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs independent steps of one compilation on several threads.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace spl::codegen {

/// Calls \p step for each number below \p count, on as many threads as the process may use, and
/// returns when all calls have returned. The calling thread is one of them. Steps must not share
/// what they change. Returns the error of the lowest number. If a step crashes while an
/// llvm::CrashRecoveryContext is enabled, that is an error too. Throws std::bad_alloc if a step
/// does. LLVM and MLIR do not release what they hold then, so the process should end.
llvm::Error forEachInParallel(size_t count, llvm::function_ref<llvm::Error(size_t)> step);

} // namespace spl::codegen
