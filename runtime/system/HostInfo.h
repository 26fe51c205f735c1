// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This machine's processor and memory. Nothing here throws; a value that cannot be read is 0 or a
// plain word.
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

/// The machine's memory or the control group's share of it, whichever is less.
MemoryState memoryState();

} // namespace spl::detail

#endif
