// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that compiled code calls need to know of the thread that runs it.
#ifndef SPL_RUNTIME_BACKENDS_CPU_RUNNINGGROUP_H
#define SPL_RUNTIME_BACKENDS_CPU_RUNNINGGROUP_H

#include "spl/cpu_abi.h"

#include <csetjmp>
#include <cstddef>
#include <cstdlib>

namespace spl::detail {

class GroupFiber;

/// The scratch memory for the groups that a thread runs, or for a group that waits at grid
/// barriers. It only grows.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() { std::free(memory); }

  /// Returns at least \p wanted bytes, or null if the system has no memory.
  void *atLeast(std::size_t wanted) {
    if (wanted > bytes) {
      std::free(memory);
      bytes = (wanted + alignment - 1) / alignment * alignment;
      memory = std::aligned_alloc(alignment, bytes);
      if (!memory)
        bytes = 0;
    }
    return memory;
  }

private:
  static constexpr std::size_t alignment = 64;

  void *memory = nullptr;
  std::size_t bytes = 0;
};

/// The groups that a thread runs now. A thread may start a launch while it waits for another one,
/// so code that sets `running` restores it afterwards.
struct RunningGroup {
  std::jmp_buf *exit = nullptr; ///< the place at which the thread continues after a fault
  Scratch *scratch = nullptr;   ///< null for the thread's own
  GroupFiber *fiber = nullptr;  ///< of a cooperative launch
};
extern thread_local constinit RunningGroup running;

} // namespace spl::detail

#endif
