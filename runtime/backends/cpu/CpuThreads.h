// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the groups of a context's launches: oneTBB's, and the threads that launch.
// Owned by the context; used by many threads at once.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H

#include "runtime/system/ForkGuard.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <oneapi/tbb/task_arena.h>

namespace spl::detail {

/// How many threads the process may run at once: the machine's, or those of its affinity mask.
int machineThreads();

class CpuThreads {
public:
  /// At most \p limit threads run parts at once, those of all calls together. 0 is no limit: each
  /// thread that calls run takes part, besides those of the machine.
  explicit CpuThreads(int limit);
  ~CpuThreads();
  CpuThreads(const CpuThreads &) = delete;
  CpuThreads &operator=(const CpuThreads &) = delete;

  /// How many threads a call can have for itself.
  int count() const { return threads; }

  /// Calls \p part(begin, end), which throws nothing, for parts of 0 to \p size, at least \p grain
  /// long where there is so much, on several threads at once. Returns when all have ended.
  template <typename Part> void run(std::int64_t size, std::int64_t grain, const Part &part) {
    runParts(size, grain, {&part, [](const void *object, std::int64_t begin, std::int64_t end) {
                             (*static_cast<const Part *>(object))(begin, end);
                           }});
  }

private:
  struct Parts { ///< a function without an allocation
    const void *object;
    void (*call)(const void *object, std::int64_t begin, std::int64_t end);
    void operator()(std::int64_t begin, std::int64_t end) const { call(object, begin, end); }
  };
  void runParts(std::int64_t size, std::int64_t grain, const Parts &parts);
  void runInParallel(std::int64_t size, std::int64_t grain, const Parts &parts) const;

  const int threads;
  const bool isLimited;
  std::mutex alone; ///< held by who runs parts, where the limit is one thread
  /// As many threads as the limit; null where there is none, or it is one thread. oneTBB lets two
  /// threads into an arena of one.
  std::unique_ptr<tbb::task_arena> arena;
  ForkGuard guard;
};

} // namespace spl::detail

#endif
