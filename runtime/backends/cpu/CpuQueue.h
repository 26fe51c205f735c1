// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that one thread runs in the order they were given. The thread starts with the first task;
// when the queue ends, all of them are finished first, or later where it ends in one of its own
// tasks or of another queue's. The thread ends with them.
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

  /// The tasks, as long as there are any or the queue.
  struct Work;
  const std::shared_ptr<Work> &work() const { return state; }

  /// Waits for every task that was given before. Throws InvalidArgument in one of them.
  void wait() { wait(*state); }
  static void wait(Work &work);

  bool isIdle() const;
  /// Whether the queue has ended, and all of its tasks.
  static bool isOver(const Work &work);

private:
  static void run(const std::shared_ptr<Work> &work);

  std::shared_ptr<Work> state; ///< the thread holds it too
  std::unique_ptr<std::thread> thread;
  ForkGuard guard;
};

} // namespace spl::detail

#endif
