// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that one thread runs in the order they were given. The thread starts with the first task;
// when the queue ends, all of them are finished first.
#ifndef SPL_RUNTIME_CPU_CPUQUEUE_H
#define SPL_RUNTIME_CPU_CPUQUEUE_H

#include "runtime/core/ForkGuard.h"

#include <functional>
#include <memory>
#include <thread>

namespace spl::detail {

class CpuQueue {
public:
  using Task = std::function<void()>;

  CpuQueue();
  /// May run on the queue's own thread, whose task then is the last.
  ~CpuQueue();
  CpuQueue(const CpuQueue &) = delete;
  CpuQueue &operator=(const CpuQueue &) = delete;

  /// The task throws nothing. Throws OutOfMemory if the system has no more threads.
  void push(Task task);

  /// Waits for every task that was given before.
  void wait();

  bool isIdle() const;

  /// Whether the caller is a task of this queue.
  bool isOwnThread() const;

private:
  struct State;
  static void run(const std::shared_ptr<State> &state);

  std::shared_ptr<State> state; ///< the thread holds it too
  std::unique_ptr<std::thread> thread;
  ForkGuard guard;
};

} // namespace spl::detail

#endif
