// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker threads of CpuThreads: an arena of oneTBB.
//
// CpuArena.cpp defines only the functions of this class. If a program defines them too, its
// definitions replace the library's. test/tsan does so, because ThreadSanitizer cannot see the
// synchronisation inside oneTBB's library.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUARENA_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUARENA_H

#include "runtime/system/ForkGuard.h"

#include <cstdint>
#include <memory>

namespace spl::detail {

class CpuArena {
public:
  /// A function that is called for parts of a range. It does not throw. It refers to the caller's
  /// function object.
  struct Parts {
    const void *object;
    void (*call)(const void *object, std::int64_t begin, std::int64_t end);
    void operator()(std::int64_t begin, std::int64_t end) const { call(object, begin, end); }
  };

  /// At most \p limit threads run parts at once, counted over all calls. 0 means no limit. \p limit
  /// must not be 1, because oneTBB lets two threads into an arena of one.
  explicit CpuArena(int limit);
  /// Does nothing in a child process made by fork, because the child has none of the threads.
  ~CpuArena();
  CpuArena(const CpuArena &) = delete;
  CpuArena &operator=(const CpuArena &) = delete;

  /// Splits the range from 0 to \p size into parts and calls \p parts for each, on several threads
  /// at once. A part is at least \p grain long, unless the range is shorter. Returns when all calls
  /// have returned. While the process exits, it does not return, except to the thread that exits.
  void run(std::int64_t size, std::int64_t grain, const Parts &parts);

private:
  struct State;
  std::unique_ptr<State> state; ///< null without a limit
  ForkGuard guard;
};

} // namespace spl::detail

#endif
