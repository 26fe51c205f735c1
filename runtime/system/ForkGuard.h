// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distinguishes a process from its parent. Drivers and thread pools do not survive fork, so a child
// must neither use nor free an object of its parent.
#ifndef SPL_RUNTIME_SYSTEM_FORKGUARD_H
#define SPL_RUNTIME_SYSTEM_FORKGUARD_H

#include <cstdint>

namespace spl::detail {

/// The number of forks between the program's start and this process. Needs no system call.
std::uint32_t processGeneration() noexcept;

/// Remembers the process in which it was made.
class ForkGuard {
public:
  bool inMakingProcess() const noexcept { return generation == processGeneration(); }

private:
  std::uint32_t generation = processGeneration();
};

} // namespace spl::detail

#endif
