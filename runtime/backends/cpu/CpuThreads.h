// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the groups of a context's launches: worker threads, and the threads that
// launch. Owned by the context; used by many threads at once.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H

#include "runtime/backends/cpu/CpuArena.h"

#include <cstdint>
#include <mutex>

namespace spl::detail {

/// How many threads the process may run at once: all of the machine, or those of its affinity mask.
int machineThreads();

class CpuThreads {
public:
  /// At most \p limit threads run parts at once, of all calls together. 0 is no limit: each thread
  /// that calls run takes part, besides one worker thread for each other processor.
  explicit CpuThreads(int limit);
  CpuThreads(const CpuThreads &) = delete;
  CpuThreads &operator=(const CpuThreads &) = delete;

  /// How many threads a call has if it is the only one.
  int count() const { return threads; }

  /// Calls \p part(begin, end), which throws nothing, for parts of 0 to \p size, each at least
  /// \p grain long where the range is, on several threads at once. Returns when all calls have
  /// returned.
  template <typename Part> void run(std::int64_t size, std::int64_t grain, const Part &part) {
    runParts(size, grain, {&part, [](const void *object, std::int64_t begin, std::int64_t end) {
                             (*static_cast<const Part *>(object))(begin, end);
                           }});
  }

private:
  void runParts(std::int64_t size, std::int64_t grain, const CpuArena::Parts &parts);

  const int threads;
  const bool isLimited;
  std::mutex alone; ///< held by the thread that runs parts, where the limit is one thread
  CpuArena arena;
};

} // namespace spl::detail

#endif
