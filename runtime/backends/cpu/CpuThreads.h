// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that run the groups of a context's launches: worker threads, and the threads that
// call launch. The context owns this object. Many threads may use it at once.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUTHREADS_H

#include "runtime/backends/cpu/CpuArena.h"

#include <cstdint>
#include <mutex>

namespace spl::detail {

/// The number of threads that the process may run at once: all of the machine, or those of its
/// affinity mask.
int machineThreads();

class CpuThreads {
public:
  /// At most \p limit threads run parts at once, counted over all calls. 0 means no limit. Then the
  /// calling threads run parts, and so do worker threads, one fewer than the machine has
  /// processors.
  explicit CpuThreads(int limit);
  CpuThreads(const CpuThreads &) = delete;
  CpuThreads &operator=(const CpuThreads &) = delete;

  /// The number of threads that one call uses while there is no other call.
  int count() const { return threads; }

  /// Splits the range from 0 to \p size into parts and calls \p part(begin, end) for each, on
  /// several threads at once. A part is at least \p grain long, unless the range is shorter.
  /// \p part must not throw. Returns when all calls have returned.
  template <typename Part> void run(std::int64_t size, std::int64_t grain, const Part &part) {
    runParts(size, grain, {&part, [](const void *object, std::int64_t begin, std::int64_t end) {
                             (*static_cast<const Part *>(object))(begin, end);
                           }});
  }

private:
  void runParts(std::int64_t size, std::int64_t grain, const CpuArena::Parts &parts);

  const int threads;
  const bool isLimited;
  std::mutex alone; ///< if the limit is one thread, the thread that runs parts holds it
  CpuArena arena;
};

} // namespace spl::detail

#endif
