// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled code prints, and the message that a failing assertion made last.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUPRINT_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUPRINT_H

#include <cstddef>

namespace spl::detail {

/// The text that spl_cpu_print kept for the next assertion of this thread, ended by a zero byte; a
/// long one is cut.
const char *assertionMessage();

/// Room for it.
inline constexpr std::size_t messageSize = 1024;

} // namespace spl::detail

#endif
