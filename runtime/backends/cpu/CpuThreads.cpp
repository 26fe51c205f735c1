// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuThreads.h"

#include <algorithm>
#include <atomic>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <thread>
#include <vector>

namespace spl::detail {

int machineThreads() { return tbb::info::default_concurrency(); }

#ifndef __has_feature // g++ 12 has __SANITIZE_THREAD__ instead
#define __has_feature(name) 0
#endif
#if __has_feature(thread_sanitizer) || defined(__SANITIZE_THREAD__)

// TBB's library is not built for the sanitizer, which takes its scheduling for races, that of its
// arenas too. Launches of a limited context run one after the other instead.
static constexpr bool hasArenas = false;

/// Calls \p parts for parts of 0 to \p size, each a multiple of \p grain long but the last, on
/// threads of this launch alone, whose races are the kernels'.
void CpuThreads::runInParallel(std::int64_t size, std::int64_t grain, const Parts &parts) const {
  std::atomic<std::int64_t> next{0};
  std::vector<std::jthread> workers;
  const std::int64_t most = isLimited ? threads : 4;
  for (std::int64_t i = 0; i < std::min(most, (size + grain - 1) / grain); ++i)
    workers.emplace_back([&] {
      for (std::int64_t begin; (begin = next.fetch_add(grain)) < size;)
        parts(begin, std::min(begin + grain, size));
    });
}

#else

static constexpr bool hasArenas = true;

/// Calls \p parts for parts of 0 to \p size, each at least \p grain long where there is so much.
void CpuThreads::runInParallel(std::int64_t size, std::int64_t grain, const Parts &parts) const {
  // Isolated, so that a caller that is itself a task does not run others of its own while it
  // waits here.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, size, grain),
        [&](const tbb::blocked_range<std::int64_t> &range) { parts(range.begin(), range.end()); });
  });
}

#endif

CpuThreads::CpuThreads(int limit)
    : threads(limit ? std::min(limit, machineThreads()) : machineThreads()), isLimited(limit != 0) {
  if (hasArenas && isLimited && threads > 1)
    arena = std::make_unique<tbb::task_arena>(threads);
}

CpuThreads::~CpuThreads() {
  if (!guard.inMakingProcess()) // fork copied none of its threads
    static_cast<void>(arena.release());
}

void CpuThreads::runParts(std::int64_t size, std::int64_t grain, const Parts &parts) {
  const auto run = [&] {
    if (size == 1)
      parts(0, 1);
    else
      runInParallel(size, grain, parts);
  };
  if (!isLimited)
    return run();
  if (arena) // waits for a place in it where all are taken
    return arena->execute(run);
  std::lock_guard lock(alone);
  if (threads == 1)
    parts(0, size);
  else
    run();
}

} // namespace spl::detail
