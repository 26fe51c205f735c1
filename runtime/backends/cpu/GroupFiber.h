// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group of a cooperative launch. It has its own stack: at a grid barrier it suspends,
// and its thread runs other groups. Another thread may resume it. The launch owns the fibers and
// their stacks. One thread at a time uses a fiber.
#ifndef SPL_RUNTIME_BACKENDS_CPU_GROUPFIBER_H
#define SPL_RUNTIME_BACKENDS_CPU_GROUPFIBER_H

#include "runtime/backends/cpu/RunningGroup.h"

#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace spl::detail {

/// The stacks of a launch: one mapping, with an inaccessible page below each stack. Only the pages
/// that a group accesses take memory.
class FiberStacks {
public:
  /// Throws std::bad_alloc if the system has no address space for that many.
  explicit FiberStacks(std::int64_t count);
  ~FiberStacks();
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;

  /// The lowest address of a stack.
  void *operator[](std::int64_t index) const;

  /// Twice the local memory that a kernel may declare, and as much for its calls.
  static constexpr std::size_t stackBytes = std::size_t{2} << 20;

private:
  std::byte *begin = nullptr;
  std::size_t bytes = 0, guardBytes = 0;
};

class GroupFiber {
public:
  GroupFiber(void *stack, spl_cpu_entry entry, void *const *params, const spl_cpu_launch *launch,
             std::int64_t group);
  ~GroupFiber();
  GroupFiber(const GroupFiber &) = delete;
  GroupFiber &operator=(const GroupFiber &) = delete;

  /// Runs the group until it waits at a grid barrier, ends or fails. Not to be called after the
  /// group has ended or failed.
  void resume();
  /// Called in the group: waits at the grid barrier \p site until the next resume.
  void waitAt(const spl_cpu_fault_site *site);

  /// The grid barrier at which the group waits; null if it has ended.
  const spl_cpu_fault_site *waitsAt() const { return barrier; }

  /// The global ids of the group's first work-item.
  void firstWorkItem(std::int64_t (&ids)[3]) const;

private:
  static void start(unsigned high, unsigned low);
  void run();
  void suspend();

  [[maybe_unused]] void *const stack; ///< only sanitizers ask for it
  const spl_cpu_entry entry;
  void *const *const params;
  const spl_cpu_launch *const launch;
  const std::int64_t group;
  Scratch scratch;
  std::jmp_buf exit; ///< where the group continues after a fault
  const spl_cpu_fault_site *barrier = nullptr;
  ucontext_t own = {}, caller = {};
  // For sanitizers, which follow switches of stacks:
  [[maybe_unused]] void *ownFiber = nullptr, *callerFiber = nullptr;
  [[maybe_unused]] const void *callerStack = nullptr;
  [[maybe_unused]] std::size_t callerBytes = 0;
};

} // namespace spl::detail

#endif
