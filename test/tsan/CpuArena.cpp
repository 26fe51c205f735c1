// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CpuArena for programs under ThreadSanitizer, which reports races in the scheduler of oneTBB.
// Each call starts its own threads. Calls of a limited arena run one after the other.
#include "runtime/backends/cpu/CpuArena.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace spl::detail {

struct CpuArena::State {
  int limit;
  std::mutex mutex; ///< held by the running call
};

CpuArena::CpuArena(int limit) : state(limit ? new State{limit, {}} : nullptr) {}

CpuArena::~CpuArena() {
  if (!guard.inMakingProcess())
    static_cast<void>(state.release());
}

/// Each part has a multiple of \p grain elements, except the last.
static void runInParallel(int limit, std::int64_t size, std::int64_t grain,
                          const CpuArena::Parts &parts) {
  if (size == 1)
    return parts(0, 1);
  std::atomic<std::int64_t> next{0};
  std::vector<std::jthread> workers;
  const std::int64_t count = std::min<std::int64_t>(limit, (size + grain - 1) / grain);
  for (std::int64_t i = 0; i < count; ++i)
    workers.emplace_back([&] {
      for (std::int64_t begin; (begin = next.fetch_add(grain)) < size;)
        parts(begin, std::min(begin + grain, size));
    });
}

void CpuArena::run(std::int64_t size, std::int64_t grain, const Parts &parts) {
  if (!state)
    return runInParallel(4, size, grain, parts);
  std::lock_guard lock(state->mutex);
  runInParallel(state->limit, size, grain, parts);
}

} // namespace spl::detail
