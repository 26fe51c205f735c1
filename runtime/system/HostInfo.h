// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This machine's processor and memory. No function here throws. If a number cannot be read, the
// result is 0. If a name cannot be read, the result is a general word.
#ifndef SPL_RUNTIME_SYSTEM_HOSTINFO_H
#define SPL_RUNTIME_SYSTEM_HOSTINFO_H

#include <cstdint>
#include <string>

namespace spl::detail {

/// The processor's product name.
std::string cpuName();

struct MemoryState {
  std::uint64_t total = 0; ///< bytes, the maximum for this process
  std::uint64_t free = 0;  ///< bytes that it can allocate now
};

/// The memory of the machine, or of the process's control group if that has less.
MemoryState memoryState();

} // namespace spl::detail

#endif
