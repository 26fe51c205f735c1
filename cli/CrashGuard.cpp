// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CrashGuard.h"
#include "cli/Reporting.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <unistd.h>

namespace spl::cli {
namespace {

/// What endWithoutMemory reports, made while there is memory.
std::string report;

[[noreturn]] void endWithoutMemory() {
  static std::atomic_flag begun;
  while (begun.test_and_set()) // another thread ends the process
    pause();
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, report.data(), report.size());
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  std::_Exit(Failed);
}

/// Ends the process if an allocation fails while the object exists, in any thread.
class MemoryGuard {
public:
  MemoryGuard() {
    report = errorText("not enough memory", "out-of-memory");
    before = std::set_new_handler(endWithoutMemory);
    llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { endWithoutMemory(); });
  }
  ~MemoryGuard() {
    llvm::remove_bad_alloc_error_handler();
    std::set_new_handler(before);
  }
  MemoryGuard(const MemoryGuard &) = delete;
  MemoryGuard &operator=(const MemoryGuard &) = delete;

private:
  std::new_handler before = nullptr;
};

} // namespace

bool withoutCrash(driver::Compilation &compilation, const std::function<bool()> &step) {
  bool done = false;
  std::exception_ptr thrown; // exceptions must not unwind LLVM's frames
  const MemoryGuard memory;
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
