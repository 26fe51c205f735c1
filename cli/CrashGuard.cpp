// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <exception>

namespace spl::cli {

bool withoutCrash(driver::Compilation &compilation, const std::function<bool()> &step) {
  bool done = false;
  std::exception_ptr thrown; // exceptions must not unwind LLVM's frames
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext context;
  const bool survived = context.RunSafely([&] {
    try {
      done = step();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  llvm::CrashRecoveryContext::Disable();
  if (thrown)
    std::rethrow_exception(thrown);
  if (!survived)
    return compilation.report(llvm::createStringError("it crashed"));
  return done;
}

LaunchGuard::LaunchGuard() { llvm::CrashRecoveryContext::Enable(); }
LaunchGuard::~LaunchGuard() { llvm::CrashRecoveryContext::Disable(); }

} // namespace spl::cli
