// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuArena.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <thread>

namespace spl::detail {

struct CpuArena::State {
  explicit State(int limit) : arena(limit) {}
  tbb::task_arena arena;
};

CpuArena::~CpuArena() {
  if (!guard.inMakingProcess())
    static_cast<void>(state.release());
}

namespace {

/// Keeps threads out of oneTBB while the process exits, because the exit destroys oneTBB's library.
/// A thread of a stream may still run launches then. The object is never destroyed.
class ExitGate {
public:
  static ExitGate &get() {
    static ExitGate &gate = *new ExitGate;
    return gate;
  }

  /// A thread inside, from the constructor to the destructor. The constructor never returns if the
  /// process exits, except to the thread that exits, which may run launches in destructors of
  /// static objects.
  class Visit {
  public:
    Visit() { get().enter(); }
    ~Visit() { --get().inside; }
    Visit(const Visit &) = delete;
    Visit &operator=(const Visit &) = delete;
  };

private:
  ExitGate() {
    std::atexit([] { get().close(); });
  }

  void enter() {
    ++inside;
    if (!isExiting || std::this_thread::get_id() == exiting)
      return;
    --inside;
    for (;;)
      std::this_thread::sleep_for(std::chrono::hours(1));
  }

  /// Waits for the launches that run. A kernel may never end, so the wait has a limit.
  void close() {
    if (!guard.inMakingProcess()) // a child process made by fork has none of the threads
      return;
    exiting = std::this_thread::get_id();
    isExiting = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (inside != 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::atomic<int> inside = 0; ///< the threads that visit
  std::atomic<bool> isExiting = false;
  std::thread::id exiting; ///< valid if isExiting
  ForkGuard guard;
};

} // namespace

CpuArena::CpuArena(int limit) : state(limit ? std::make_unique<State>(limit) : nullptr) {
  ExitGate::get(); // before the process exits, which the first launch may not be
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
  const ExitGate::Visit visit;
  if (state) // waits until the arena has room for this thread
    state->arena.execute([&] { runInParallel(size, grain, parts); });
  else
    runInParallel(size, grain, parts);
}

} // namespace spl::detail
