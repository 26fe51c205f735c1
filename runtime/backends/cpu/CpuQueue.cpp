// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuQueue.h"

#include "runtime/system/Checks.h"
#include "spl/Error.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <system_error>

namespace spl::detail {

struct CpuQueue::Work {
  mutable std::mutex mutex; ///< guards the members below
  std::condition_variable changed;
  std::deque<Task> tasks;
  std::thread::id worker;  ///< the thread that runs the tasks
  std::uint64_t given = 0; ///< the number of tasks pushed
  std::uint64_t done = 0;  ///< the number of tasks done
  bool ends = false;
};

/// Whether this thread is a queue's thread. A destructor on it must not wait for another queue,
/// which may wait for this one.
static thread_local bool isInTask = false;

CpuQueue::CpuQueue() : state(std::make_shared<Work>()) {}

CpuQueue::~CpuQueue() {
  if (!guard.inMakingProcess()) { // the child has no thread that could be joined
    static_cast<void>(thread.release());
    return;
  }
  {
    std::lock_guard lock(state->mutex);
    state->ends = true;
  }
  if (!thread)
    return;
  state->changed.notify_all();
  if (isInTask)
    thread->detach();
  else
    thread->join();
}

void CpuQueue::push(Task task) {
  {
    std::lock_guard lock(state->mutex);
    if (!thread)
      try {
        thread = std::make_unique<std::thread>([state = state] { run(state); });
      } catch (const std::system_error &error) {
        throw noThread(error, "a stream", "use fewer streams");
      }
    state->tasks.push_back(std::move(task));
    ++state->given;
  }
  state->changed.notify_all();
}

void CpuQueue::run(const std::shared_ptr<Work> &state) {
  isInTask = true;
  std::unique_lock lock(state->mutex);
  state->worker = std::this_thread::get_id();
  for (;;) {
    state->changed.wait(lock, [&] { return !state->tasks.empty() || state->ends; });
    if (state->tasks.empty()) {
      state->worker = {}; // another thread may get the same id
      return;
    }
    Task task = std::move(state->tasks.front());
    state->tasks.pop_front();
    lock.unlock();
    task();
    task = nullptr; // destroys the task's objects before the task counts as done
    lock.lock();
    ++state->done;
    state->changed.notify_all();
  }
}

void CpuQueue::wait(Work &work) {
  std::unique_lock lock(work.mutex);
  if (work.worker == std::this_thread::get_id())
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "a function in a stream waits for that stream itself",
                 .hint = "wait for it elsewhere"});
  work.changed.wait(lock, [&, until = work.given] { return work.done >= until; });
}

bool CpuQueue::isOver(const Work &work) {
  std::lock_guard lock(work.mutex);
  return work.ends && work.done == work.given;
}

bool CpuQueue::isIdle() const {
  std::lock_guard lock(state->mutex);
  return state->done == state->given;
}

} // namespace spl::detail
