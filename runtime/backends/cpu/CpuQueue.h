// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue of tasks that one thread runs in order. The thread starts with the first task and ends
// after the last one. The destructor waits for all tasks, unless it is called in a task of any
// queue.
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

  /// The task throws nothing. Throws OutOfMemory if the system has no more threads.
  void push(Task task);

  /// The tasks. They outlive the queue until all are done.
  struct Work;
  const std::shared_ptr<Work> &work() const { return state; }

  /// Waits for every task that was pushed before. Throws InvalidArgument in a task of this queue.
  void wait() { wait(*state); }
  static void wait(Work &work);

  bool isIdle() const;
  /// Whether the queue has ended and all of its tasks are done.
  static bool isOver(const Work &work);

private:
  static void run(const std::shared_ptr<Work> &work);

  std::shared_ptr<Work> state; ///< the thread holds it too
  std::unique_ptr<std::thread> thread;
  ForkGuard guard;
};

} // namespace spl::detail

#endif
