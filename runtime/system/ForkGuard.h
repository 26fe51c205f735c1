// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a process from its parent. Drivers and thread pools do not survive fork, so an object made
// before it must neither be used nor freed in the child.
#ifndef SPL_RUNTIME_SYSTEM_FORKGUARD_H
#define SPL_RUNTIME_SYSTEM_FORKGUARD_H

#include <cstdint>

namespace spl::detail {

/// Counts the forks between the program's start and this process; a load, no system call.
std::uint32_t processGeneration() noexcept;

/// Remembers the process it was made in.
class ForkGuard {
public:
  bool inMakingProcess() const noexcept { return generation == processGeneration(); }

private:
  std::uint32_t generation = processGeneration();
};

} // namespace spl::detail

#endif
