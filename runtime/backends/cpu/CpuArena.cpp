// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuArena.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace spl::detail {

struct CpuArena::State {
  explicit State(int limit) : arena(limit) {}
  tbb::task_arena arena;
};

CpuArena::CpuArena(int limit) : state(limit ? std::make_unique<State>(limit) : nullptr) {}

CpuArena::~CpuArena() {
  if (!guard.inMakingProcess())
    static_cast<void>(state.release());
}

static void runInParallel(std::int64_t size, std::int64_t grain, const CpuArena::Parts &parts) {
  if (size == 1)
    return parts(0, 1);
  // Isolation keeps a caller that is itself a task from running its other tasks while it waits
  // here.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, size, grain),
        [&](const tbb::blocked_range<std::int64_t> &range) { parts(range.begin(), range.end()); });
  });
}

void CpuArena::run(std::int64_t size, std::int64_t grain, const Parts &parts) {
  if (!state)
    return runInParallel(size, grain, parts);
  // Waits until the arena has room for this thread.
  state->arena.execute([&] { runInParallel(size, grain, parts); });
}

} // namespace spl::detail
