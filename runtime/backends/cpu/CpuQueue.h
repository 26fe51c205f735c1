// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue of tasks that one thread runs in order. The first task starts the thread. The destructor
// waits for all tasks and the thread, unless it is called in a task of any queue. In that case the
// thread ends by itself after the last task.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUQUEUE_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUQUEUE_H

#include "runtime/system/ForkGuard.h"

#include <functional>
#include <memory>
#include <thread>

namespace spl::detail {

class CpuQueue {
public:
  using Task = std::function<void()>;

  CpuQueue();
  ~CpuQueue();
  CpuQueue(const CpuQueue &) = delete;
  CpuQueue &operator=(const CpuQueue &) = delete;

  /// Adds a task, which must not throw. Throws OutOfMemory if the system has no more threads.
  void push(Task task);

  /// The state of the tasks. It exists until all tasks are done, even if the queue has been
  /// destroyed.
  struct Work;
  const std::shared_ptr<Work> &work() const { return state; }

  /// Waits for every task that was pushed before this call. Throws InvalidArgument in a task of
  /// this queue.
  void wait() { wait(*state); }
  static void wait(Work &work);

  bool isIdle() const;
  /// Whether the queue has been destroyed and all of its tasks are done.
  static bool isOver(const Work &work);

private:
  static void run(const std::shared_ptr<Work> &work);

  std::shared_ptr<Work> state; ///< shared with the thread
  std::unique_ptr<std::thread> thread;
  ForkGuard guard;
};

} // namespace spl::detail

#endif
