// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of a launch whose kernel has grid barriers. Each has its own stack. They run in
// turns, from one grid barrier to the next. The function that runs the launch owns them.
#ifndef SPL_RUNTIME_BACKENDS_CPU_COOPERATIVEGROUPS_H
#define SPL_RUNTIME_BACKENDS_CPU_COOPERATIVEGROUPS_H

#include "runtime/backends/cpu/FaultSink.h"
#include "runtime/backends/cpu/GroupFiber.h"

#include <deque>
#include <string>

namespace spl::detail {

class CooperativeGroups {
public:
  /// The arguments must outlive the object, except \p context. Throws OutOfMemory if the system has
  /// no address space for the stacks; \p context says where the kernel runs.
  CooperativeGroups(spl_cpu_entry entry, void *const *params, const spl_cpu_launch *launch,
                    std::int64_t count, const std::string &context);

  /// Runs a group until it waits at a grid barrier, ends or fails. Several threads may do so at
  /// once for different groups.
  void resume(std::int64_t group) { fibers[static_cast<std::size_t>(group)].resume(); }

  /// To be called after each group has been resumed and none has failed. Returns true if all groups
  /// wait at one grid barrier, and false if all have ended. Otherwise stores a fault in \p sink and
  /// returns false.
  bool meet(FaultSink &sink) const;

  /// The most groups of a launch. It is more than a GPU runs at once, so that a launch that is made
  /// for a GPU also runs here. Their stacks take 16 GiB of address space, and stay below the
  /// number of mappings that Linux allows.
  static constexpr std::int64_t maxCount = 8192;

private:
  FiberStacks stacks;
  std::deque<GroupFiber> fibers;
};

} // namespace spl::detail

#endif
