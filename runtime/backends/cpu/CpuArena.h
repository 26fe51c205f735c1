// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker threads of CpuThreads: an arena of oneTBB.
//
// CpuArena.cpp defines all of it and nothing else. A program that defines it as well has its own
// definition instead; test/tsan does so, because ThreadSanitizer cannot see the synchronisation
// inside oneTBB's library.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUARENA_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUARENA_H

#include "runtime/system/ForkGuard.h"

#include <cstdint>
#include <memory>

namespace spl::detail {

class CpuArena {
public:
  /// A function of a range's parts, which throws nothing. It refers to the caller's function
  /// object.
  struct Parts {
    const void *object;
    void (*call)(const void *object, std::int64_t begin, std::int64_t end);
    void operator()(std::int64_t begin, std::int64_t end) const { call(object, begin, end); }
  };

  /// At most \p limit threads run parts at once, of all calls together; 0 is no limit. The limit is
  /// not 1: oneTBB lets two threads into an arena of one.
  explicit CpuArena(int limit);
  /// Touches nothing in a child made by fork, which has none of the threads.
  ~CpuArena();
  CpuArena(const CpuArena &) = delete;
  CpuArena &operator=(const CpuArena &) = delete;

  /// Calls \p parts for parts of 0 to \p size, each at least \p grain long where the range is, on
  /// several threads at once. Returns when all calls have returned.
  void run(std::int64_t size, std::int64_t grain, const Parts &parts);

private:
  struct State;
  std::unique_ptr<State> state; ///< null without a limit
  ForkGuard guard;
};

} // namespace spl::detail

#endif
