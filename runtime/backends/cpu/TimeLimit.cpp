// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/TimeLimit.h"

#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>

namespace spl::detail {

/// Longer limits would overflow the clock, which counts nanoseconds.
static constexpr std::chrono::milliseconds maxLimit = std::chrono::hours(24 * 3650);

TimeLimit::TimeLimit(std::chrono::milliseconds limit, std::int64_t &hasStopped) {
  if (limit.count() == 0)
    return;
  const auto deadline = std::chrono::steady_clock::now() + std::min(limit, maxLimit);
  try {
    watcher = std::jthread([deadline, &hasStopped](const std::stop_token &ended) {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      std::condition_variable_any().wait_until(lock, ended, deadline, [] { return false; });
      if (!ended.stop_requested())
        std::atomic_ref(hasStopped).store(1, std::memory_order_relaxed);
    });
  } catch (const std::system_error &error) {
    throw noThread(error, "a launch's time limit", "end some threads, or launch without a limit");
  }
}

} // namespace spl::detail
