// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time limit of one launch. A thread sets a flag when the time is over. Interruptible code
// tests the flag (spl/cpu_abi.h) and ends the launch with a fault.
#ifndef SPL_RUNTIME_BACKENDS_CPU_TIMELIMIT_H
#define SPL_RUNTIME_BACKENDS_CPU_TIMELIMIT_H

#include <chrono>
#include <cstdint>
#include <thread>

namespace spl::detail {

class TimeLimit {
public:
  /// Starts the time. Sets \p hasStopped when \p limit is over. A \p limit of 0 means no limit and
  /// starts no thread. \p hasStopped must outlive the object. Throws OutOfMemory if the system has
  /// no more threads.
  TimeLimit(std::chrono::milliseconds limit, std::int64_t &hasStopped);

private:
  std::jthread watcher; ///< the destructor stops and joins it
};

} // namespace spl::detail

#endif
